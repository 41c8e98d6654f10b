import { describe, expect, it } from 'vitest'
import { inspectJson } from './inspect-json.ts'
import { JsonRefused } from './json-refused.ts'

const complaint = (text: string): Readonly<Record<string, string>> | undefined => {
  try {
    inspectJson(text)
    return undefined
  } catch (error) {
    if (error instanceof JsonRefused) return error.fields
    throw error
  }
}
const nested = (depth: number) => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`

describe('JSON is refused', () => {
  it.each([
    ['where a name comes twice', '{"a":1,"a":1}', { a: 'must not be given twice' }],
    ['where a name comes twice in other letters', '{"a":1,"\\u0061":1}', { a: 'must not be given twice' }],
    ['where a name comes twice deep inside', '{"x":[{},{"y":{"b":1,"c":2,"b":3}}]}', { 'x[1].y.b': 'must not be given twice' }],
    ['where the empty name comes twice', '{"":1,"":2}', { body: 'must not be given twice' }],
    ['for __proto__', '{"__proto__":{}}', { body: 'must not have a member named __proto__' }],
    [
      'for __proto__ in other letters, deep inside',
      '{"a":[1,{"\\u005f_proto__":1}]}',
      { 'a[1]': 'must not have a member named __proto__' },
    ],
    ['for NUL', '{"note":"a\\u0000b"}', { note: 'must not contain NUL or unpaired surrogates' }],
    ['for a high surrogate alone', '{"p":{"note":"\\ud800"}}', { 'p.note': 'must not contain NUL or unpaired surrogates' }],
    ['for a low surrogate alone', '{"list":["ok","\\udc00x"]}', { 'list[1]': 'must not contain NUL or unpaired surrogates' }],
    ['for surrogates the wrong way round', '{"a":"\\udc00\\ud800"}', { a: 'must not contain NUL or unpaired surrogates' }],
    ['for NUL in a name', '{"p":{"a\\u0000":1}}', { p: 'must not have names that contain NUL or unpaired surrogates' }],
    ['for a surrogate in a name', '{"\\ud800":1}', { body: 'must not have names that contain NUL or unpaired surrogates' }],
    ['for a number beyond any double', '{"amount":1e400}', { amount: 'must be a number that a double can hold' }],
    ['for one below', '{"a":[0,-1E+400]}', { 'a[1]': 'must be a number that a double can hold' }],
    ['for nesting beyond 64', nested(65), { body: 'must be nested at most 64 levels deep' }],
    [
      'for objects nested beyond 64',
      `${'{"a":'.repeat(65)}1${'}'.repeat(65)}`,
      { body: 'must be nested at most 64 levels deep' },
    ],
  ])('%s', (_, text, fields) => expect(complaint(text)).toEqual(fields))

  it('without recursion, however deep it is', () => {
    expect(complaint(nested(400_000))).toEqual({ body: 'must be nested at most 64 levels deep' })
  })

  it('with a path that is bounded', () => {
    const name = 'n'.repeat(10_000)
    const [field = ''] = Object.keys(complaint(`{"${name}":"\\u0000"}`) ?? {})
    expect(field).toBe('n'.repeat(64))
  })
})

describe('JSON is taken', () => {
  it.each([
    '{}',
    ' { } ',
    nested(64),
    '{"a":"\\ud83d\\ude00 😀","b":[],"c":{},"d":[{},[1]]}',
    '{"a":1e308,"b":-0.0,"c":1e-400,"d":true}',
  ])('that is %s', (text) => expect(complaint(text)).toBeUndefined())

  it('where one name stands in several objects', () => {
    expect(complaint('{"a":{"a":{"a":1}},"b":[{"a":1},{"a":2}]}')).toBeUndefined()
  })

  it('where names are those of every object’s own methods', () => {
    expect(complaint('{"constructor":1,"toString":2,"hasOwnProperty":3,"prototype":4}')).toBeUndefined()
  })
})

it('tells each member of the object as it is written', () => {
  const members = inspectJson(
    ' { "a" : { "10": 1,\n"9":2.50 } ,"b":[1, 2 ] , "c":"x\\u0041" ,"d":-1.0e2,"e":null,"f":{},"g":[] } ',
  )
  expect(Object.fromEntries(members)).toEqual({
    a: '{ "10": 1,\n"9":2.50 }',
    b: '[1, 2 ]',
    c: '"x\\u0041"',
    d: '-1.0e2',
    e: 'null',
    f: '{}',
    g: '[]',
  })
})

it('is quick with the largest body there can be', () => {
  const names = Array.from({ length: 90_000 }, (_, at) => `"n${at}":1`).join(',')
  const startedAt = performance.now()
  expect(complaint(`{${names}}`)).toBeUndefined()
  expect(performance.now() - startedAt).toBeLessThan(1000)
})
