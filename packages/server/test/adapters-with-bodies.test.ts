import { createTestUser, signIn } from '@countersign/core/testing'
import { createTestCountersign, type TestCountersign } from '@countersign/storage-sqlite/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AdapterServer, answersTo, startAdapter } from '../src/testing/adapters.ts'
import { openConnection } from '../src/testing/raw-connection.ts'

/** Requests with bodies: two servers on one core, one on each adapter, receive the same bytes and send the same bytes back. */

let test: TestCountersign
let node: AdapterServer
let hono: AdapterServer
let token: string

const TIMES = { requestTimeout: 1500, headersTimeout: 1500 }

beforeAll(async () => {
  test = await createTestCountersign({ options: { rateLimits: 'off' } })
  node = await startAdapter(test, 'node', TIMES)
  hono = await startAdapter(test, 'hono', TIMES)
  token = (await signIn(test, await createTestUser(test))).tokens.accessToken
})
afterAll(async () => {
  await Promise.all([node, hono].map(({ listening }) => listening.close(0)))
})

const REFRESH = '/api/v1/auth/refresh'
const TYPE = 'Content-Type: application/json'

const headOf = (path: string, ...headers: readonly string[]): string =>
  [`POST ${path} HTTP/1.1`, 'Host: localhost', ...headers, '', ''].join('\r\n')

const post = (path: string, body: string, ...headers: readonly string[]): string =>
  headOf(path, TYPE, `Content-Length: ${body.length}`, ...headers) + body

const unknown = '{"refreshToken":"a.b.c"}'
const last = 'Connection: close'
const confirmation = (id: string) => `/api/v1/auth/confirmation/${id}/reject`
const bearer = () => `Authorization: Bearer ${token}`

const requests: Readonly<Record<string, () => readonly string[]>> = {
  'a body': () => [post(REFRESH, unknown, last)],
  'a body, and a request id': () => [post(REFRESH, unknown, 'X-Request-Id: r-1', last)],
  'a body that arrives after the headers': () => [headOf(REFRESH, TYPE, `Content-Length: ${unknown.length}`, last), unknown],
  'a body that arrives in two pieces': () => {
    const whole = post(REFRESH, unknown, last)
    return [whole.slice(0, -5), whole.slice(-5)]
  },
  'a body byte by byte': () => [...post(REFRESH, '{"a":1}', last)],
  'a body that never arrives completely': () => [post(REFRESH, unknown, last).slice(0, -5)],
  'an empty body': () => [post(REFRESH, '', last)],
  'no body and no length': () => [headOf(REFRESH, TYPE, last)],
  'more bytes than declared, followed by garbage': () => [post(REFRESH, unknown) + unknown],
  'a body whose declared length is wrong': () => [
    headOf(REFRESH, TYPE, 'Content-Length: 5') + unknown + post(REFRESH, unknown, last),
  ],
  'sequential requests': () => [post(REFRESH, unknown) + post(REFRESH, '{}', 'X-Request-Id: r-2') + post(REFRESH, unknown, last)],
  'twenty requests, followed by garbage': () => [`${post(REFRESH, unknown).repeat(20)}garbage\r\n\r\n`],
  'with and without a body in turns': () => [
    `GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n${post(REFRESH, unknown)}GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\n${post(REFRESH, unknown, last)}`.replace(
      'GET /health',
      'GET /api/v1/product-schemas',
    ),
  ],
  chunks: () => [`${headOf(REFRESH, TYPE, 'Transfer-Encoding: chunked', last)}18\r\n${unknown}\r\n0\r\n\r\n`],
  'a length and chunks': () => [
    `${headOf(REFRESH, TYPE, 'Content-Length: 24', 'Transfer-Encoding: chunked')}18\r\n${unknown}\r\n0\r\n\r\n`,
  ],
  'two lengths': () => [headOf(REFRESH, TYPE, 'Content-Length: 24', 'Content-Length: 24', last) + unknown],
  'an invalid length': () => [headOf(REFRESH, TYPE, 'Content-Length: 0x18', last) + unknown],
  'a length with zeros before it': () => [headOf(REFRESH, TYPE, 'Content-Length: 00024', last) + unknown],
  'a length past any number': () => [headOf(REFRESH, TYPE, 'Content-Length: 99999999999999999999999', last)],
  'a length above the limit': () => [headOf(REFRESH, TYPE, 'Content-Length: 99999999', last)],
  'ready to wait for its body': () => [headOf(REFRESH, TYPE, 'Expect: 100-continue', 'Content-Length: 24', last), unknown],
  'a body of another type': () => [headOf(REFRESH, 'Content-Type: text/plain', 'Content-Length: 24', last) + unknown],
  'a body without a type': () => [headOf(REFRESH, 'Content-Length: 24', last) + unknown],
  'a body that is encoded': () => [post(REFRESH, unknown, 'Content-Encoding: gzip', last)],
  'a body that is not JSON': () => [post(REFRESH, '{', last)],
  'a body with a name twice': () => [post(REFRESH, '{"refreshToken":"a","refreshToken":"b"}', last)],
  'a body that is not UTF-8': () => [post(REFRESH, '{"refreshToken":"\xff"}', last)],
  'a body of 90 kB': () => [post(REFRESH, `{"refreshToken":"${'x'.repeat(90_000)}"}`, last)],
  'a body of 900 kB': () => [post(REFRESH, `{"refreshToken":"${'x'.repeat(900_000)}"}`, last)],
  'a query': () => [post(`${REFRESH}?a=1`, unknown, last)],
  'a slash more': () => [post(`${REFRESH}/`, unknown, last)],
  'another host': () => [post(REFRESH, unknown, last).replace('localhost', '[::1]:80')],
  'no host': () => [post(REFRESH, unknown, last).replace('Host: localhost\r\n', '')],
  'another method': () => [post(REFRESH, unknown, last).replace('POST', 'PUT')],
  'a method to delete': () => [post('/api/v1/auth/devices/x', '{}', bearer(), last).replace('POST', 'DELETE')],
  'HTTP/1.0': () => [post(REFRESH, unknown).replace('HTTP/1.1', 'HTTP/1.0')],
  'a member in the path': () => [post(confirmation('abc-1'), '{"reason":"no"}', bearer(), last)],
  'a member in the path, without a token': () => [post(confirmation('abc-1'), '{"reason":"no"}', last)],
  'a member in the path that is the name of a property': () => [
    post(confirmation('__proto__'), '{"reason":"no"}', bearer(), last),
  ],
  'a member in the path that is escaped': () => [post(confirmation('%61bc'), '{"reason":"no"}', bearer(), last)],
  'a member in the path with an escaped slash': () => [post(confirmation('a%2fb'), '{"reason":"no"}', bearer(), last)],
  'a member in the path that is empty': () => [post(confirmation(''), '{"reason":"no"}', bearer(), last)],
  'a member in the path and in the body': () => [
    post(confirmation('abc-1'), '{"reason":"no","confirmationId":"other"}', bearer(), last),
  ],
  'no body if there is a token': () => [`GET /api/v1/auth/devices HTTP/1.1\r\nHost: localhost\r\n${bearer()}\r\n${last}\r\n\r\n`],
  'no body if a member is in the path': () => [
    `GET /api/v1/auth/confirmation/abc-1/status HTTP/1.1\r\nHost: localhost\r\n${bearer()}\r\n${last}\r\n\r\n`,
  ],
}

describe('a request with a body', () => {
  it.each(Object.keys(requests))('has the same response and log through both adapters: %s', async (name) => {
    const pieces = requests[name]?.() ?? []
    expect(await answersTo(node, ...pieces)).toBe(await answersTo(hono, ...pieces))
    // Requests on one connection run concurrently, so the order of their log lines may differ.
    expect(node.logged().toSorted()).toStrictEqual(hono.logged().toSorted())
  })

  it('refreshes a session once', async () => {
    const { tokens } = await signIn(test, await createTestUser(test, { email: 'renews@example.test' }))
    const request = post(REFRESH, JSON.stringify({ refreshToken: tokens.refreshToken }), last)
    const [first, second] = [await answersTo(node, request), await answersTo(node, request)]
    expect([first.slice(0, 12), second.slice(0, 12)]).toEqual(['HTTP/1.1 200', 'HTTP/1.1 401'])
  })

  it('counts against the rate limit of its peer address', async () => {
    const limited = await createTestCountersign()
    const [onNode, onHono] = [await startAdapter(limited, 'node', TIMES), await startAdapter(limited, 'hono', TIMES)]
    const left = async (server: AdapterServer) =>
      /\nratelimit: "burst";r=(\d+)/.exec(await answersTo(server, post(REFRESH, unknown, last)))?.[1]
    const first = Number(await left(onNode))
    expect(first).toBeGreaterThan(1)
    expect(Number(await left(onHono))).toBe(first - 1)
    expect(Number(await left(onNode))).toBe(first - 2)
    await Promise.all([onNode, onHono].map(({ listening }) => listening.close(0)))
  })

  it('does not harm the server if its client disconnects', async () => {
    for (let time = 0; time < 20; time += 1) {
      const connection = await openConnection(node.listening.url)
      await new Promise((resolve) => connection.socket.write(post(REFRESH, unknown), resolve))
      connection.socket.resetAndDestroy()
    }
    expect(await answersTo(node, post(REFRESH, unknown, last))).toContain('401')
  })
})
