import { describe, expect, it } from 'vitest'
import { checkedOptions, defaultOptions } from './options.ts'

describe('options', () => {
  it('take a leeway for refreshing of 0 to 30 seconds and no other', () => {
    expect(checkedOptions({ ...defaultOptions, refreshLeeway: 30_000 }).refreshLeeway).toBe(30_000)
    for (const refreshLeeway of [-1, 30_001, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => checkedOptions({ ...defaultOptions, refreshLeeway })).toThrow(RangeError)
    }
  })

  it('take an issuer of at most 255 bytes, which every token says twice', () => {
    for (const issuer of ['i'.repeat(255), 'é'.repeat(127)])
      expect(checkedOptions({ ...defaultOptions, issuer }).issuer).toBe(issuer)
    for (const issuer of ['i'.repeat(256), 'é'.repeat(128)]) {
      expect(() => checkedOptions({ ...defaultOptions, issuer })).toThrow(new RangeError('issuer must be at most 255 bytes'))
    }
  })
})
