import type { MigratedStorage } from '@countersign/core'
import { createTestCountersign, createTestUser, signIn, type TestCountersign } from '@countersign/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createService } from '../src/app.ts'
import { type Listening, listen } from '../src/listen/listen.ts'
import { openConnection } from '../src/testing/raw-connection.ts'
import { openSqlite, type TestStorage } from '../src/testing/test-storages.ts'

/**
 * What is answered directly, without a `Request`, is answered to the letter as the ordinary way answers it: two servers on
 * one core, one of which knows no direct way, are sent the same bytes.
 */

let opened: TestStorage
let test: TestCountersign
let direct: Listening
let ordinary: Listening
let token: string
let directlyTaken = 0

beforeAll(async () => {
  opened = await openSqlite()
  test = createTestCountersign({ storage: opened.storage as MigratedStorage })
  const { app, answerDirectly } = createService(test.countersign, { version: '1.2.3' })
  const counted: typeof answerDirectly = (request) => {
    const sent = answerDirectly(request)
    if (sent !== undefined) directlyTaken += 1
    return sent
  }
  const at = { host: '127.0.0.1', port: 0 }
  direct = await listen(app.fetch, { ...at, answerDirectly: counted })
  ordinary = await listen(app.fetch, at)
  token = (await signIn(test, await createTestUser(test, { permissions: ['project.read'] }))).tokens.accessToken
})
afterAll(async () => {
  await Promise.all([direct.close(0), ordinary.close(0)])
  await opened.remove()
})

/** Status line, headers in order of name, and body; ids that were made for the answer, dates and times left out. */
const answerTo = async ({ url }: Listening, request: string): Promise<string> => {
  const connection = await openConnection(url)
  connection.socket.write(request)
  connection.socket.end()
  const [head = '', body = ''] = (await connection.closed()).split('\r\n\r\n')
  const [status, ...headers] = head.split('\r\n')
  const shown = headers
    .map((line) => line.replace(/^([^:]+)/, (name) => name.toLowerCase()))
    .filter((line) => !/^date:|^x-request-id: [0-9a-f]{8}-/.test(line))
  return [status, ...shown.sort(), body.replace(/"(timestamp|uptime)":[^,}]+/g, '"$1":0')].join('\n')
}

const get = (path: string, ...headers: readonly string[]): string =>
  [`GET ${path} HTTP/1.1`, 'Host: localhost', ...headers, 'Connection: close', '', ''].join('\r\n')

/** A question to `/internal/verify`, put well, with other headers after it. */
const verify = (...headers: readonly string[]): string =>
  get('/internal/verify', `Authorization: Bearer ${token}`, 'X-Service-Name: billing', ...headers)

const asked: Readonly<Record<string, () => string>> = {
  'a good question': () => verify(),
  'with a request id': () => verify('X-Request-Id: r-1'),
  'with a request id that is not sane': () => verify('X-Request-Id: r 1'),
  'with two request ids': () => verify('X-Request-Id: r-1', 'x-request-id: r-2'),
  'in other cases': () => get('/internal/verify', `AUTHORIZATION: bEaReR   ${token}`, 'x-SERVICE-name: billing'),
  'with white space around': () => get('/internal/verify', `authorization: \t Bearer ${token} \t`, 'X-Service-Name:  billing '),
  'without a token': () => get('/internal/verify', 'X-Service-Name: billing'),
  'with another scheme': () => get('/internal/verify', 'Authorization: Basic YTpi', 'X-Service-Name: billing'),
  'with a token that is wrong': () => get('/internal/verify', `Authorization: Bearer ${token}x`, 'X-Service-Name: billing'),
  'with two tokens': () => verify(`Authorization: Bearer ${token}`),
  'with a comma in the token': () => get('/internal/verify', `Authorization: Bearer ${token},`, 'X-Service-Name: billing'),
  'without a service': () => get('/internal/verify', `Authorization: Bearer ${token}`),
  'with an empty service': () => get('/internal/verify', `Authorization: Bearer ${token}`, 'X-Service-Name:'),
  'with a service that is none': () => get('/internal/verify', `Authorization: Bearer ${token}`, 'X-Service-Name: Bill ing'),
  'with two services': () => verify('X-Service-Name: shipping'),
  'with a query': () => get('/internal/verify?serviceName=billing', `Authorization: Bearer ${token}`),
  'with a body': () => `${verify('Content-Length: 2').trimEnd()}\r\n\r\n{}`,
  'as HEAD': () => verify().replace('GET', 'HEAD'),
  'as POST': () => verify().replace('GET', 'POST'),
  'of HTTP/1.0': () => verify().replace('HTTP/1.1', 'HTTP/1.0'),
  'without a host': () => verify().replace('Host: localhost\r\n', ''),
  'of an empty host': () => verify().replace('Host: localhost', 'Host:'),
  'of a host with a port': () => verify().replace('Host: localhost', 'Host: auth.example.test:4000'),
  'of a host in capitals': () => verify().replace('Host: localhost', 'Host: LOCALHOST'),
  'of an IPv6 host': () => verify().replace('Host: localhost', 'Host: [::1]:4000'),
  'of a host that is none': () => verify().replace('Host: localhost', 'Host: a b'),
  'of a host with a path': () => verify().replace('Host: localhost', 'Host: x/../y'),
  'of a host with an impossible port': () => verify().replace('Host: localhost', 'Host: x:99999'),
  'of a host with a low port': () => verify().replace('Host: localhost', 'Host: 256.256.256.256:80'),
  'of two hosts': () => verify('Host: other'),
  'at an absolute target': () => verify().replace('GET /', 'GET http://localhost/'),
  'at a target with dots': () => verify().replace('/internal/verify', '/internal/./verify'),
  'at a target with an escape': () => verify().replace('/internal/verify', '/internal/verif%79'),
  'at a target with a slash more': () => verify().replace('/internal/verify', '/internal/verify/'),
  'at a target in capitals': () => verify().replace('/internal/verify', '/Internal/Verify'),
  health: () => get('/health'),
  'projects of a user who may not list them': () => get('/api/v1/product-schemas'),
  'projects of a user': () => get('/api/v1/projects', `Authorization: Bearer ${token}`),
  'projects of a user, a page of them': () => get('/api/v1/projects?limit=1', `Authorization: Bearer ${token}`),
}

describe('what is answered directly', () => {
  it.each(Object.keys(asked))('is answered as the ordinary way does: %s', async (name) => {
    const request = asked[name]?.() ?? ''
    // Twice: what was answered before is known from then on.
    for (const time of ['first', 'second']) {
      expect(await answerTo(direct, request), time).toBe(await answerTo(ordinary, request))
    }
  })

  it('was answered so where it could be', async () => {
    directlyTaken = 0
    expect(await answerTo(direct, verify())).toMatch(/^HTTP\/1\.1 200 OK\n/)
    expect(await answerTo(direct, get('/health'))).toMatch(/^HTTP\/1\.1 200 OK\n/)
    expect(directlyTaken).toBe(2)
  })
})
