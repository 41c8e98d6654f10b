import { errors } from '@countersign/core'
import { describe, expect, it } from 'vitest'
import { createQueryReader } from './read-query.ts'

const read = createQueryReader(
  new Map([
    ['a', 'one'],
    ['b', 'one'],
    ['type', 'list'],
  ]),
)
const query = (text: string) => read(`http://countersign.test/x${text}`)
const complaint = (text: string) => {
  try {
    return query(text)
  } catch (error) {
    return error instanceof errors.Invalid ? error.message : error
  }
}

describe('a query string', () => {
  it.each([
    ['', {}],
    ['?', {}],
    ['?&&', {}],
    ['?a=1&b=two', { a: '1', b: 'two' }],
    ['?a', {}],
    ['?a=&b=2', { b: '2' }],
    ['?a=b=c', { a: 'b=c' }],
    ['?a=1+2%20%2B%C3%A9', { a: '1 2 +é' }],
    ['?type[]=Task', { type: ['Task'] }],
    ['?type%5B%5D=Task&type[]=Issue&type[]=Task', { type: ['Task', 'Issue', 'Task'] }],
    ['?type[0]=Task&type[7]=Issue', { type: ['Task', 'Issue'] }],
    ['?type=Task&type=Issue&type[]=', { type: ['Task', 'Issue'] }],
    ['?constructor=1&toString=2&other[]=1&other[]=2', {}],
    ['?other=1&other=2&other', {}],
  ])('%s is parsed', (text, members) => expect(query(text)).toEqual(members))

  it.each([
    ['?a=1&a=2', 'a: must be given once'],
    ['?a=1&%61=2', 'a: must be given once'],
    ['?a=&a=2', 'a: must be given once'],
    ['?a[]=1&a=2', 'a: must be written as a'],
    ['?a=1&a[]=2', 'a: must be written as a'],
    ['?A=1', 'a: must be written as a'],
    ['?a[0]=1', 'a: must be written as a'],
    ['?a[number]=1', 'a: must be written as a'],
    ['?_a=1', 'a: must be written as a'],
    ['?%EF%BD%81=1', 'a: must be written as a'],
    ['?a%E2%80%8B=1', 'a: must be written as a'],
    ['?filter[a]=1', 'a: must be written as a'],
    ['?type[foo]=Task', 'type: must be written as type, type[] or type[0]'],
    ['?type[][]=Task', 'type: must be written as type, type[] or type[0]'],
    ['?types=Task', 'type: must be written as type, type[] or type[0]'],
    ['?a=%FF', 'query: must be percent-encoded UTF-8'],
    ['?a=%', 'query: must be percent-encoded UTF-8'],
    ['?%E0%A4%A=1', 'query: must be percent-encoded UTF-8'],
    ['?a=%ED%A0%80', 'query: must be percent-encoded UTF-8'],
    ['?a=x%00', 'a: must not contain NUL'],
    ['?%00=x', 'query: must have plain names'],
    ['?__proto__=x', 'query: must have plain names'],
    ['?__proto__[]=x', 'query: must have plain names'],
  ])('%s is refused', (text, message) => expect(complaint(text)).toBe(message))

  it('with NUL is refused over HTTP with 400', async () => {
    const { createTestApp } = await import('../testing/test-app.ts')
    const { signIn } = await import('../testing/sign-in.ts')
    const test = await createTestApp()
    const { token } = await signIn(test)
    const { status, body } = await test.send('GET', '/api/v1/auth/devices?a=%00', { token })
    expect([status, body]).toEqual([
      400,
      { message: 'a: must not contain NUL', statusCode: 400, code: 'invalid_input', details: { a: 'must not contain NUL' } },
    ])
  })
})
