import canonicalize from 'canonicalize'
import { assert, jsonValue, property } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalJson } from './canonical-json.ts'

describe('the canonical form of a JSON value', () => {
  it('equals the form of the library that the service uses', () => {
    assert(
      property(jsonValue(), (value) => canonicalJson(value) === canonicalize(value)),
      { numRuns: 2000 },
    )
  })

  it('equals the examples of RFC 8785', () => {
    // §3.2.2 and §3.2.3.
    const given = String.raw`{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
      "literals": [null, true, false]
    }`
    expect(canonicalJson(JSON.parse(given))).toBe(
      String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
    )
    const sorting = { '\u20ac': 1, '\r': 2, '\ufb33': 3, '1': 4, '\ud83d\ude00': 5, '\u0080': 6, '\u00f6': 7 }
    expect(Object.values(JSON.parse(canonicalJson(sorting)) as Record<string, number>)).toHaveLength(7)
    expect(canonicalJson(sorting).match(/\d(?=[,}])/g)).toEqual(['2', '4', '6', '7', '1', '5', '3'])
  })
})
