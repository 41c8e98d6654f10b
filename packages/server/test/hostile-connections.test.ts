import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateKeyRing, systemRandom } from '@countersign/core'
import { recordingLogger } from '@countersign/core/testing'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { readConfig } from '../src/config/read-config.ts'
import { securityHeaders } from '../src/http/http-response.ts'
import { type RunningServer, serve } from '../src/serve.ts'
import { openConnection } from '../src/testing/raw-connection.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

let root: string
let server: RunningServer
const logger = recordingLogger()

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'countersign-hostile-'))
  const config = readConfig({
    COUNTERSIGN_DATABASE_URL: `sqlite:${join(root, 'countersign.db')}`,
    COUNTERSIGN_PORT: '0',
    COUNTERSIGN_JWT_KEYS: generateKeyRing(systemRandom),
    COUNTERSIGN_ENCRYPTION_KEYS: generateKeyRing(systemRandom),
    COUNTERSIGN_RATE_LIMITS: 'off',
  })
  server = await serve(config, { logger, signals: false, headersTimeout: 500, requestTimeout: 1000, idleTimeout: 2000 })
})
afterAll(async () => {
  await server.close()
  await rm(root, { recursive: true })
})

interface RawAnswer {
  readonly status: number
  readonly head: string
}

/** Splits the received bytes into responses. Each must be complete and have every header. */
const answersIn = (received: string): readonly RawAnswer[] => {
  const starts = [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)]
  return starts.map(({ index, 1: status }) => {
    const head = received.slice(index, received.indexOf('\r\n\r\n', index))
    for (const [name, value] of Object.entries(securityHeaders))
      expect(head.toLowerCase()).toContain(`${name}: ${value}`.toLowerCase())
    return { status: Number(status), head }
  })
}

/** Sends bytes on a new connection. Resolves with the responses when the server has closed it. */
const responsesTo = async (...pieces: readonly (string | Uint8Array)[]): Promise<readonly RawAnswer[]> => {
  const connection = await openConnection(server.url)
  for (const piece of pieces) connection.socket.write(piece)
  connection.socket.end()
  return answersIn(await connection.closed())
}

const statusesOf = async (...pieces: readonly (string | Uint8Array)[]): Promise<readonly number[]> =>
  (await responsesTo(...pieces)).map(({ status }) => status)

const post = (headers: string, body = '') => `POST /api/v1/auth/login HTTP/1.1\r\nHost: x\r\n${headers}\r\n${body}`
const json = 'Content-Type: application/json\r\n'
const health = 'GET /health HTTP/1.1\r\nHost: x\r\n\r\n'

afterEach(async () => {
  // Expects that the server still answers other requests and has logged no failure.
  expect(await statusesOf(health)).toEqual([200])
  expect(logger.entries.filter(({ level }) => level === 'error')).toEqual([])
})

describe('a body of ambiguous length', () => {
  it.each([
    ['a length and chunks', post(`${json}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n`, `2\r\n{}\r\n0\r\n\r\n`)],
    ['chunks and a length', post(`${json}Transfer-Encoding: chunked\r\nContent-Length: 5\r\n`, `2\r\n{}\r\n0\r\n\r\n`)],
    ['two lengths', post(`${json}Content-Length: 2\r\nContent-Length: 3\r\n`, '{}x')],
    ['a list of lengths', post(`${json}Content-Length: 2, 3\r\n`, '{}x')],
    ['a length below zero', post(`${json}Content-Length: -2\r\n`, '{}')],
    ['a length with a sign', post(`${json}Content-Length: +2\r\n`, '{}')],
    ['a hexadecimal length', post(`${json}Content-Length: 0x2\r\n`, '{}')],
    ['a length past every number', post(`${json}Content-Length: ${'9'.repeat(40)}\r\n`, '{}')],
    ['chunks that are not the last encoding', post(`${json}Transfer-Encoding: chunked, identity\r\n`, '2\r\n{}\r\n0\r\n\r\n')],
    ['an unknown encoding', post(`${json}Transfer-Encoding: xchunked\r\n`, '2\r\n{}\r\n0\r\n\r\n')],
    ['a space before the colon', post(`${json}Transfer-Encoding : chunked\r\n`, '2\r\n{}\r\n0\r\n\r\n')],
    ['a chunk without a size', post(`${json}Transfer-Encoding: chunked\r\n`, 'zz\r\n{}\r\n0\r\n\r\n')],
    ['a chunk past every number', post(`${json}Transfer-Encoding: chunked\r\n`, `${'f'.repeat(32)}\r\n{}`)],
    ['a chunk of another size', post(`${json}Transfer-Encoding: chunked\r\n`, '1\r\n{}\r\n0\r\n\r\n')],
  ])('is refused: %s', async (_what, request) => {
    const statuses = await statusesOf(request)
    // At most one response: the remaining bytes must not become a second request.
    expect(statuses).toHaveLength(1)
    expect([400, 413]).toContain(statuses[0])
  })

  it('is refused before it arrives when it declares more than a megabyte', async () => {
    const connection = await openConnection(server.url)
    connection.write(post(`${json}Content-Length: 1048577\r\n`))
    await connection.until('"statusCode":413')
    connection.socket.destroy()
  })

  it('is refused after more than a megabyte has arrived in chunks', async () => {
    const chunk = `10000\r\n${' '.repeat(0x10000)}\r\n`
    const connection = await openConnection(server.url)
    connection.write(post(`${json}Transfer-Encoding: chunked\r\n`, chunk.repeat(17)))
    await connection.until('"statusCode":413')
    connection.socket.destroy()
  })

  it('is refused if it is shorter than declared; the excess of a longer body does not count as a request', async () => {
    expect(await statusesOf(post(`${json}Content-Length: 100\r\n`, '{}'))).toEqual([400])
    expect(await statusesOf(post(`${json}Content-Length: 2\r\n`, '{}garbage\r\n\r\n'))).toEqual([400, 400])
  })

  it('can arrive byte by byte', async () => {
    const body = '{"email":"a@example.test","password":"x"}'
    const connection = await openConnection(server.url)
    connection.socket.setNoDelay(true)
    for (const byte of post(`${json}Connection: close\r\nContent-Length: ${body.length}\r\n`, body)) connection.write(byte)
    expect(answersIn(await connection.closed())).toMatchObject([{ status: 401 }])
  })
})

describe('a malformed request', () => {
  it.each([
    ['nothing', ''],
    ['bytes', new Uint8Array(Array.from({ length: 512 }, (_, at) => (at * 7 + 3) % 256))],
    ['NUL bytes', new Uint8Array(4096)],
    ['the beginning of TLS', new Uint8Array([22, 3, 1, 2, 0, 1, 0, 1, 252, 3, 3, 0, 0, 0])],
    ['the beginning of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['HTTP/0.9', 'GET /health\r\n'],
    ['HTTP of a version to come', 'GET /health HTTP/9.9\r\n\r\n'],
    ['a line without an end', 'G'.repeat(1000)],
    ['half a request', 'GET /health HTTP/1.1\r\nHos'],
    ['a method in small letters', 'get /health HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['an invalid method', 'GE T /health HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['NUL in a header', 'GET /health HTTP/1.1\r\nHost: x\r\nX-A: a\0b\r\n\r\n'],
    ['a carriage return in a header', 'GET /health HTTP/1.1\r\nHost: x\r\nX-A: a\rX-B: b\r\n\r\n'],
    ['a folded header', 'GET /health HTTP/1.1\r\nHost: x\r\nX-A: a\r\n b\r\nX Y: c\r\n\r\n'],
    ['a header without a name', 'GET /health HTTP/1.1\r\nHost: x\r\n: a\r\n\r\n'],
    ['a header without a colon', 'GET /health HTTP/1.1\r\nHost: x\r\nabc\r\n\r\n'],
    ['a control character in the path', 'GET /hea\x01lth HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a tunnel', 'CONNECT evil.test:443 HTTP/1.1\r\nHost: x\r\n\r\n'],
  ])('is refused or disconnected: %s', async (_what, bytes) => {
    for (const status of await statusesOf(bytes)) expect(status).toBe(400)
  })

  it.each([
    ['a path of 20 KB', `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`],
    ['a header of 20 KB', `GET /health HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${'a'.repeat(20_000)}\r\n\r\n`],
    ['ten thousand headers', `GET /health HTTP/1.1\r\nHost: x\r\n${'a: b\r\n'.repeat(10_000)}\r\n`],
  ])('is refused with 431: %s', async (_what, request) => {
    expect(await statusesOf(request)).toEqual([431])
  })
})

describe('an unusual but valid request', () => {
  it.each([
    ['HTTP/1.0', 'GET /health HTTP/1.0\r\nHost: x\r\n\r\n', 200],
    ['no Host', 'GET /health HTTP/1.1\r\n\r\n', 400],
    ['the server as a whole', 'OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['TRACE', 'TRACE /health HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer secret\r\n\r\n', 405],
    ['a body on a request that has none', 'GET /health HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nGET ', 200],
    ['two Hosts', 'GET /health HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n', 400],
    ['one Host twice', 'GET /health HTTP/1.1\r\nHost: x\r\nhost: x\r\n\r\n', 400],
    ['two Hosts of an absolute target', 'GET http://x/health HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n', 400],
    ['an invalid Host', 'GET /health HTTP/1.1\r\nHost: a b/c?d@e\r\n\r\n', 400],
    [
      'two Authorizations',
      'GET /api/v1/auth/devices HTTP/1.1\r\nHost: x\r\nAuthorization: a\r\nAuthorization: Bearer b\r\n\r\n',
      401,
    ],
    ['an unsupported Expect header', 'GET /health HTTP/1.1\r\nHost: x\r\nExpect: miracle\r\n\r\n', 417],
    ['a protocol to change to', 'GET /health HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n', 200],
  ])('is answered: %s', async (_what, request, status) => {
    const answers = await responsesTo(request)
    expect(answers.map((answer) => answer.status)).toEqual([status])
    expect(answers[0]?.head).not.toContain('secret')
  })

  it('is answered in order in a pipeline, and garbage afterwards ends the connection', async () => {
    expect(await statusesOf(health.repeat(20), 'garbage\r\n\r\n', health)).toEqual([...Array(20).fill(200), 400])
  })

  it('cannot add its own header to a response', async () => {
    const [answer] = await responsesTo('GET /%0d%0aX-Evil:%201 HTTP/1.1\r\nHost: x\r\nX-Request-Id: a%0d%0aX-Evil: 1\r\n\r\n')
    expect(answer?.status).toBe(404)
    expect(answer?.head).not.toMatch(/evil/i)
  })
})

describe('a slow client', () => {
  it.each([
    ['with headers', 'GET /health HTTP/1.1\r\nHost: x\r\nX-A: ', 'a'],
    ['with the request line', 'GET /heal', 't'],
    ['with a body', post(`${json}Content-Length: 1000\r\n`, '{'), ' '],
    ['with chunks', post(`${json}Transfer-Encoding: chunked\r\n`, '1\r\n{\r\n'), '1\r\n \r\n'],
  ])('%s is disconnected in time, even if it sends steadily', async (_what, beginning, more) => {
    const connections = await Promise.all(Array.from({ length: 20 }, () => openConnection(server.url)))
    for (const connection of connections) connection.write(beginning)
    const drip = setInterval(() => {
      for (const connection of connections) if (connection.socket.writable) connection.write(more)
    }, 100)
    try {
      // The server answers other requests meanwhile.
      expect(await statusesOf(health)).toEqual([200])
      for (const connection of connections) {
        for (const { status } of answersIn(await connection.closed())) expect([400, 408]).toContain(status)
      }
    } finally {
      clearInterval(drip)
    }
  })
})
