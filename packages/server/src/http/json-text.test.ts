import { JsonText } from '@countersign/contract'
import { describe, expect, it } from 'vitest'
import { writeJson } from './json-text.ts'

describe('a value with embedded JSON text', () => {
  it('is written with the text unchanged byte for byte', () => {
    const text = '{ "10": 1, "9": 2.50, "big": 12345678901234567890 }'
    expect(writeJson({ a: 1, payload: new JsonText(text), list: [new JsonText('[ ]'), 'x'] })).toBe(
      `{"a":1,"payload":${text},"list":[[ ],"x"]}`,
    )
  })

  it('is written like JSON.stringify otherwise', () => {
    const value = {
      text: 'a"\\\n\u2028😀',
      'quo"te': [true, null, 0.1, -0, 1e21],
      nothing: undefined,
      deep: { empty: {}, none: [] },
    }
    expect(writeJson(value)).toBe(JSON.stringify(value))
  })

  it('is written correctly even if texts look like placeholders', () => {
    const hostile = ['{"valid":true}', '"}', '[object Object]', 'JsonText', '$&', "$'", '\\']
    expect(JSON.parse(writeJson({ hostile, payload: new JsonText('{}') }))).toEqual({ hostile, payload: {} })
  })
})
