import { describe, expect, it } from 'vitest'
import { JsonText, toJsonText } from './json-text.ts'

describe('a value with embedded JSON text', () => {
  it('is serialized with the text unchanged byte for byte', () => {
    const text = '{ "10": 1, "9": 2.50, "big": 12345678901234567890 }'
    expect(toJsonText({ a: 1, payload: new JsonText(text), list: [new JsonText('[ ]'), 'x'] }).text).toBe(
      `{"a":1,"payload":${text},"list":[[ ],"x"]}`,
    )
  })

  it('is readable beside the text', () => {
    const value = { a: 1, payload: new JsonText('{}') }
    expect(toJsonText(value as never).value).toBe(value)
    expect(new JsonText('{}').value).toBeUndefined()
  })

  it('is serialized like JSON.stringify otherwise', () => {
    const value = {
      text: 'a"\\\n\u2028😀',
      'quo"te': [true, null, 0.1, -0, 1e21],
      nothing: undefined,
      deep: { empty: {}, none: [] },
    }
    expect(toJsonText(value as never).text).toBe(JSON.stringify(value))
  })

  it('is not confused by texts that look like placeholders', () => {
    const hostile = ['{"valid":true}', '"}', '[object Object]', 'JsonText', '$&', "$'", '\\']
    expect(JSON.parse(toJsonText({ hostile, payload: new JsonText('{}') } as never).text)).toEqual({ hostile, payload: {} })
  })
})
