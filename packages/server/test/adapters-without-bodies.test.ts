import { createTestUser, signIn } from '@countersign/core/testing'
import { createTestCountersign, type TestCountersign } from '@countersign/storage-sqlite/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AdapterServer, answersTo, startAdapter } from '../src/testing/adapters.ts'
import { startRealServer } from '../src/testing/real-server.ts'
import { openSqlite, type TestStorage } from '../src/testing/test-storages.ts'

/**
 * Two servers on one core, one on each adapter, receive the same bytes. Both send the same bytes back and log the same lines:
 * the adapter of Node's own server reads a request as `@hono/node-server` reads it.
 */

let opened: TestStorage
let test: TestCountersign
let node: AdapterServer
let hono: AdapterServer
let token: string

beforeAll(async () => {
  opened = await openSqlite()
  test = await createTestCountersign({ storage: opened.storage })
  node = await startAdapter(test, 'node')
  hono = await startAdapter(test, 'hono')
  token = (await signIn(test, await createTestUser(test, { permissions: ['project.read'] }))).tokens.accessToken
})
afterAll(async () => {
  await Promise.all([node, hono].map(({ listening }) => listening.close(0)))
  await opened.remove()
})

const get = (path: string, ...headers: readonly string[]): string =>
  [`GET ${path} HTTP/1.1`, 'Host: localhost', ...headers, 'Connection: close', '', ''].join('\r\n')

/** A valid call of `/internal/verify`, with additional headers. */
const verify = (...headers: readonly string[]): string =>
  get('/internal/verify', `Authorization: Bearer ${token}`, 'X-Service-Name: billing', ...headers)

/** The same call on a connection that stays open. */
const kept = (...headers: readonly string[]): string => verify(...headers).replace('Connection: close\r\n', '')

const withHost = (host: string): string => verify().replace('Host: localhost', `Host: ${host}`)

const hosts = [
  ...['', 'LOCALHOST', 'a b', 'x/../y', 'x?y', 'x#y', 'x@y', 'x\\y', '[::1]:4000', '[::1', '%6c', 'é', '..', '-', '_'],
  ...['auth.example.test:4000', 'x:8080', 'x:80', 'x:0', 'x:', 'x:65535', 'x:65536', 'x:99999', 'x:100000', 'x:4000:4000'],
  ...['256.256.256.256', '256.256.256.256:4000', '256.256.256.256:80', '1.2.3.4.5', '0x7f.1', 'xn--a', 'xn--a:8080'],
]

const requests: Readonly<Record<string, () => string>> = {
  'a good question': () => verify(),
  'with a request id': () => verify('X-Request-Id: r-1'),
  'with an invalid request id': () => verify('X-Request-Id: r 1'),
  'with two request ids': () => verify('X-Request-Id: r-1', 'x-request-id: r-2'),
  'in other cases': () => get('/internal/verify', `AUTHORIZATION: bEaReR   ${token}`, 'x-SERVICE-name: billing'),
  'with white space around': () => get('/internal/verify', `authorization: \t Bearer ${token} \t`, 'X-Service-Name:  billing '),
  'without a token': () => get('/internal/verify', 'X-Service-Name: billing'),
  'with another scheme': () => get('/internal/verify', 'Authorization: Basic YTpi', 'X-Service-Name: billing'),
  'with an invalid token': () => get('/internal/verify', `Authorization: Bearer ${token}x`, 'X-Service-Name: billing'),
  'with a token whose first character is changed': () =>
    get('/internal/verify', `Authorization: Bearer x${token.slice(1)}`, 'X-Service-Name: billing'),
  'with two tokens': () => verify(`Authorization: Bearer ${token}`),
  'with a comma in the token': () => get('/internal/verify', `Authorization: Bearer ${token},`, 'X-Service-Name: billing'),
  'with bytes that are not valid text': () =>
    get('/internal/verify', `Authorization: Bearer ${token}\xff`, 'X-Service-Name: b\xe9'),
  'without a service': () => get('/internal/verify', `Authorization: Bearer ${token}`),
  'with an empty service': () => get('/internal/verify', `Authorization: Bearer ${token}`, 'X-Service-Name:'),
  'with an invalid service name': () => get('/internal/verify', `Authorization: Bearer ${token}`, 'X-Service-Name: Bill;ing'),
  'with a service in other cases, of two words': () =>
    get('/internal/verify', `Authorization: Bearer ${token}`, 'X-Service-Name: Bill Ing'),
  'with service name and token split at another place': () =>
    get('/internal/verify', `Authorization: ${token}`, 'X-Service-Name: billing Bearer'),
  'with two services': () => verify('X-Service-Name: shipping'),
  'with a thousand other headers': () => verify(...Array.from({ length: 1000 }, (_, at) => `X-${at}: ${at}`)),
  'with names of properties': () => verify('__proto__: x', 'constructor: y', 'toString: z'),
  'with a query': () => get('/internal/verify?serviceName=billing', `Authorization: Bearer ${token}`),
  'with a query that is refused': () => verify().replace('/verify', '/verify?%ff'),
  'with an empty query': () => verify().replace('/verify', '/verify?'),
  'with a fragment': () => verify().replace('/verify', '/verify#x'),
  'with a body': () => `${verify('Content-Length: 2').trimEnd()}\r\n\r\n{}`,
  'with a body that is a request, and another after it': () => {
    const inner = kept('X-Request-Id: inner')
    return `${kept(`Content-Length: ${inner.length}`)}${inner}${verify('X-Request-Id: r-2')}`
  },
  'with chunks, and another after it': () =>
    `${kept('Transfer-Encoding: chunked')}2\r\n{}\r\n0\r\n\r\n${verify('X-Request-Id: r-2')}`,
  'with malformed chunks': () => `${kept('Transfer-Encoding: chunked')}zz\r\n{}\r\n0\r\n\r\n`,
  'with a length and chunks': () => `${kept('Content-Length: 2', 'Transfer-Encoding: chunked')}2\r\n{}\r\n0\r\n\r\n`,
  'with two lengths': () => `${kept('Content-Length: 2', 'Content-Length: 3')}{}x`,
  'without a body but with a length': () => kept('Content-Length: 0') + verify('X-Request-Id: r-2'),
  'ready to wait for a body': () => verify('Expect: 100-continue'),
  'with an unsupported Expect header': () => verify('Expect: miracle'),
  'with a protocol to change to': () => kept('Connection: Upgrade', 'Upgrade: websocket') + verify('X-Request-Id: r-2'),
  'sequential requests on one connection': () => kept() + kept('X-Request-Id: r-1') + get('/health') + verify(),
  'many requests, followed by garbage': () => `${kept().repeat(20)}garbage\r\n\r\n`,
  'beside a slow request': () => get('/health').replace('Connection: close\r\n', '') + kept() + verify('X-Request-Id: r-2'),
  'as HEAD': () => verify().replace('GET', 'HEAD'),
  'as POST': () => verify().replace('GET', 'POST'),
  'of HTTP/1.0': () => verify().replace('HTTP/1.1', 'HTTP/1.0'),
  'of HTTP/1.0 on a connection that is kept': () => kept('Connection: keep-alive').replace('HTTP/1.1', 'HTTP/1.0') + verify(),
  'of HTTP/1.0 without a word on the connection': () => kept().replace('HTTP/1.1', 'HTTP/1.0') + verify(),
  'without a host': () => verify().replace('Host: localhost\r\n', ''),
  'of two hosts': () => verify('Host: other'),
  ...Object.fromEntries(hosts.map((host) => [`of a host ${JSON.stringify(host)}`, () => withHost(host)])),
  'at an absolute target': () => verify().replace('GET /', 'GET http://localhost/'),
  'at an absolute target of another host': () => verify().replace('GET /', 'GET http://other.test/'),
  'at a target with dots': () => verify().replace('/internal/verify', '/internal/./verify'),
  'at a target with an escape': () => verify().replace('/internal/verify', '/internal/verif%79'),
  'at a target with two slashes': () => verify().replace('/internal/verify', '//internal/verify'),
  'at a target with a slash more': () => verify().replace('/internal/verify', '/internal/verify/'),
  'at a target in capitals': () => verify().replace('/internal/verify', '/Internal/Verify'),
  health: () => get('/health'),
  'projects of a user who cannot list them': () => get('/api/v1/product-schemas'),
  'projects of a user': () => get('/api/v1/projects', `Authorization: Bearer ${token}`),
  'projects of a user, a page of them': () => get('/api/v1/projects?limit=1', `Authorization: Bearer ${token}`),
}

describe('a request without a body', () => {
  it.each(Object.keys(requests))('has the same response and log through both adapters: %s', async (name) => {
    const request = requests[name]?.() ?? ''
    // Sent twice, because the second verification of a token uses the cache.
    for (const time of ['first', 'second']) {
      expect(await answersTo(node, request), time).toBe(await answersTo(hono, request))
      // Requests on one connection run concurrently, so the order of their log lines may differ.
      expect([...node.logged()].sort(), time).toStrictEqual([...hono.logged()].sort())
    }
  })

  it('succeeds through both adapters if it is valid', async () => {
    for (const server of [node, hono]) {
      for (const request of [verify(), withHost('auth.internal:8080'), get('/health')]) {
        expect(await answersTo(server, request)).toMatch(/^HTTP\/1\.1 200 OK\n/)
      }
    }
  })
})

describe('a token that expires during its verification', () => {
  it('is accepted for that request, and the server still answers the next', async () => {
    const slow = await createTestCountersign()
    const { tokens } = await signIn(slow, await createTestUser(slow))
    const { sessions } = slow.storage
    const atTheLastMoment = async (id: string) => {
      const status = await sessions.status(id)
      slow.clock.advance(8 * 60 * 60_000)
      return status
    }
    const { countersign } = await createTestCountersign({
      ...slow,
      storage: { ...slow.storage, sessions: { ...sessions, status: atTheLastMoment } },
    })
    const server = await startRealServer({ countersign })
    const ask = () =>
      fetch(`${server.url}/internal/verify`, {
        headers: { authorization: `Bearer ${tokens.accessToken}`, 'x-service-name': 'billing' },
      })
    expect((await ask()).status).toBe(200)
    expect((await ask()).status).toBe(401)
    await server.close(0)
  })
})
