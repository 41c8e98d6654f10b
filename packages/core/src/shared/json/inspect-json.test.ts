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
const inexact = 'must be a number that a double holds with all its digits; send a longer number as text'
const nested = (depth: number) => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`

describe('JSON is refused', () => {
  it.each([
    ['if a name comes twice', '{"a":1,"a":1}', { a: 'must not be given twice' }],
    ['if a name comes twice, once with escapes', '{"a":1,"\\u0061":1}', { a: 'must not be given twice' }],
    ['if a name comes twice deep inside', '{"x":[{},{"y":{"b":1,"c":2,"b":3}}]}', { 'x[1].y.b': 'must not be given twice' }],
    ['if the empty name comes twice', '{"":1,"":2}', { body: 'must not be given twice' }],
    ['for __proto__', '{"__proto__":{}}', { body: 'must not have a member named __proto__' }],
    [
      'for __proto__ with escapes, deep inside',
      '{"a":[1,{"\\u005f_proto__":1}]}',
      { 'a[1]': 'must not have a member named __proto__' },
    ],
    ['for NUL', '{"note":"a\\u0000b"}', { note: 'must not contain NUL or unpaired surrogates' }],
    ['for a high surrogate alone', '{"p":{"note":"\\ud800"}}', { 'p.note': 'must not contain NUL or unpaired surrogates' }],
    ['for a low surrogate alone', '{"list":["ok","\\udc00x"]}', { 'list[1]': 'must not contain NUL or unpaired surrogates' }],
    ['for a low surrogate before a high one', '{"a":"\\udc00\\ud800"}', { a: 'must not contain NUL or unpaired surrogates' }],
    ['for NUL in a name', '{"p":{"a\\u0000":1}}', { p: 'must not have names that contain NUL or unpaired surrogates' }],
    ['for a surrogate in a name', '{"\\ud800":1}', { body: 'must not have names that contain NUL or unpaired surrogates' }],
    ['for a number beyond any double', '{"amount":1e400}', { amount: 'must be a number that a double can hold' }],
    ['for a negative number beyond any double', '{"a":[0,-1E+400]}', { 'a[1]': 'must be a number that a double can hold' }],
    ['for a number with more digits than its double', '{"value":999999999999999.99}', { value: inexact }],
    ['for a long integer deep inside', '{"a":[0,{"id":653247040368672768}]}', { 'a[1].id': inexact }],
    ['for a number that a double holds only as 0', '{"a":1e-400}', { a: inexact }],
    ['for nesting beyond 64', nested(65), { body: 'must be nested at most 64 levels deep' }],
    [
      'for objects nested beyond 64',
      `${'{"a":'.repeat(65)}1${'}'.repeat(65)}`,
      { body: 'must be nested at most 64 levels deep' },
    ],
  ])('%s', (_, text, fields) => expect(complaint(text)).toEqual(fields))

  it('without recursion, at any depth', () => {
    expect(complaint(nested(400_000))).toEqual({ body: 'must be nested at most 64 levels deep' })
  })

  it('with a path of limited length', () => {
    const name = 'n'.repeat(10_000)
    const [field = ''] = Object.keys(complaint(`{"${name}":"\\u0000"}`) ?? {})
    expect(field).toBe('n'.repeat(64))
  })
})

describe('JSON is accepted', () => {
  it.each([
    '{}',
    ' { } ',
    nested(64),
    '{"a":"\\ud83d\\ude00 😀","b":[],"c":{},"d":[{},[1]]}',
    '{"a":1e308,"b":-0.0,"c":999999999999999.9,"d":true}',
  ])('%s', (text) => expect(complaint(text)).toBeUndefined())

  it('if several objects have a member of the same name', () => {
    expect(complaint('{"a":{"a":{"a":1}},"b":[{"a":1},{"a":2}]}')).toBeUndefined()
  })

  it('if members have the names of methods of every object', () => {
    expect(complaint('{"constructor":1,"toString":2,"hasOwnProperty":3,"prototype":4}')).toBeUndefined()
  })
})

it('an inexact number in a member that nobody reads is accepted, and an infinite one is not', () => {
  const inspect = (text: string) => () => inspectJson(text, { isKept: (member) => member === 'kept' })
  expect(inspect('{"other":[0.1000000000000000055],"kept":0.1}')).not.toThrow()
  expect(inspect('{"other":1,"kept":[0.1000000000000000055]}')).toThrow(`kept[0]: ${inexact}`)
  expect(inspect('{"other":[1e400]}')).toThrow('other[0]: must be a number that a double can hold')
})

it('inspecting returns the text of each member as it is written', () => {
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

it('inspecting the largest possible body takes less than a second of processor time', () => {
  const names = Array.from({ length: 90_000 }, (_, at) => `"n${at}":1`).join(',')
  const before = process.cpuUsage()
  expect(complaint(`{${names}}`)).toBeUndefined()
  const { user, system } = process.cpuUsage(before)
  expect(user + system).toBeLessThan(1_000_000)
})
