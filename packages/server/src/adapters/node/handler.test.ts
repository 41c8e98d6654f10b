import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { recordingLogger } from '@countersign/core/testing'
import { afterEach, describe, expect, it } from 'vitest'
import { startStopwatch } from '../../../../../tools/testing/stopwatch.ts'
import type { HttpRequest } from '../../http/http-request.ts'
import { type HttpResponse, securityHeaders } from '../../http/http-response.ts'
import { openConnection } from '../../testing/raw-connection.ts'
import { createNodeHandler } from './handler.ts'
import { type Listening, listen } from './listen.ts'

const started: Listening[] = []
afterEach(async () => {
  await Promise.all(started.splice(0).map((listening) => listening.close(0)))
})

const sent: HttpResponse = { status: 200, body: '{"sent":true}', headers: { 'X-Request-Id': 'r-1' } }
const refused: HttpResponse = { status: 400, body: '{"refused":true}', headers: {} }

/** Serves a pipeline. `onRequest` is called for each request before the pipeline runs. */
const start = async (
  handleRequest: (request: HttpRequest) => Promise<HttpResponse>,
  onRequest: (incoming: IncomingMessage, outgoing: ServerResponse) => void = () => {},
) => {
  const logger = recordingLogger()
  const refusals: { readonly error: unknown; readonly path: string }[] = []
  const refuse = (error: unknown, path: string) => {
    refusals.push({ error, path })
    return refused
  }
  const handler = createNodeHandler({ handleRequest, refuse }, logger)
  const listening = await listen(
    (incoming, outgoing) => {
      onRequest(incoming, outgoing)
      handler(incoming, outgoing)
    },
    { host: '127.0.0.1', port: 0 },
  )
  started.push(listening)
  return { ...listening, logger, refusals }
}

const get = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'
const countOf = (text: string, status: number): number => text.split(`HTTP/1.1 ${status} `).length - 1

describe('a response of the Node adapter', () => {
  it('has every header once, including its own headers', async () => {
    const { url } = await start(async () => sent)
    const response = await fetch(url)
    for (const [name, value] of Object.entries(securityHeaders)) expect(response.headers.get(name)).toBe(value)
    expect(response.headers.get('x-request-id')).toBe('r-1')
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(await response.text()).toBe(sent.body)
  })

  it('can override the headers that every response has', async () => {
    const { url } = await start(async () => ({ ...sent, headers: { 'Cache-Control': 'no-cache' } }))
    expect((await fetch(url)).headers.get('cache-control')).toBe('no-cache')
  })

  it('can have no body', async () => {
    const { url } = await start(async () => ({ status: 204, body: null, headers: {} }))
    const response = await fetch(url)
    expect([response.status, await response.text(), response.headers.get('content-type')]).toEqual([204, '', null])
  })

  it('is sent in the order of pipelined requests, and garbage after them is refused', async () => {
    let count = 0
    const { url } = await start(async () => {
      count += 1
      const number = count
      if (number % 3 === 0) await new Promise(setImmediate)
      return { ...sent, body: JSON.stringify({ number }) }
    })
    const connection = await openConnection(url)
    connection.write(`${get.repeat(30)}garbage\r\n\r\n`)
    const text = await connection.closed()
    expect([...text.matchAll(/\{"number":(\d+)\}/g)].map(([, number]) => Number(number))).toEqual(
      Array.from({ length: 30 }, (_, at) => at + 1),
    )
    expect(countOf(text, 400)).toBe(1)
  })

  it('reaches a client that has closed its side, and then the connection ends', async () => {
    const closedSide = Promise.withResolvers<void>()
    const { url } = await start(
      async () => {
        await closedSide.promise
        return sent
      },
      ({ socket }) => void once(socket, 'end').then(() => closedSide.resolve()),
    )
    const connection = await openConnection(url)
    connection.socket.end(get)
    expect(await connection.closed()).toContain(sent.body)
  })

  it('to a disconnected client does not harm the server', async () => {
    const [entered, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const { url } = await start(async () => {
      entered.resolve()
      await gate.promise
      return sent
    })
    const connection = await openConnection(url)
    connection.write(get)
    await entered.promise
    connection.socket.resetAndDestroy()
    await connection.closed()
    gate.resolve()
    expect((await fetch(url)).status).toBe(200)
  })

  it('reaches a slow reader while the server closes, until the time limit ends every connection', async () => {
    const long = { ...sent, body: JSON.stringify('x'.repeat(8 * 1024 * 1024)) }
    const { url, close } = await start(async () => long)
    const [slow, deaf] = await Promise.all([openConnection(url), openConnection(url)])
    for (const { socket, write } of [slow, deaf]) {
      socket.pause()
      write(get)
    }
    await expect.poll(() => Math.min(slow.socket.bytesWritten, deaf.socket.bytesWritten)).toBe(get.length)
    // Both earlier responses are in progress when the later one is sent.
    const third = await openConnection(url)
    third.write(get)
    await third.until('"xxx')
    third.socket.destroy()
    const closed = close(3000)
    setTimeout(() => slow.socket.resume(), 1000)
    expect(await slow.closed()).toContain(long.body)
    await closed
    deaf.socket.destroy()
  })
})

describe('an error outside the pipeline', () => {
  it('becomes an error response and a log line without the message, and the server continues', async () => {
    const { url, logger, refusals } = await start(() => Promise.reject(new TypeError('secret')))
    for (const _ of [1, 2]) {
      const response = await fetch(`${url}/x`)
      expect([response.status, await response.text()]).toEqual([refused.status, refused.body])
    }
    expect(refusals[0]).toEqual({ error: new TypeError('secret'), path: '/x' })
    expect(logger.entries[0]).toMatchObject({ level: 'error', event: 'response_failed', fields: { error: 'TypeError' } })
    expect(JSON.stringify(logger.entries)).not.toContain('secret')
  })
})

describe('a request without a valid URL is refused before the pipeline', () => {
  it.each([
    ['without a Host', 'GET /x HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['with an invalid Host', 'GET /x HTTP/1.1\r\nHost: a b<c>\r\nConnection: close\r\n\r\n'],
    ['with an invalid target', 'OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'],
  ])('%s', async (_, text) => {
    const { url, refusals } = await start(async () => sent)
    const connection = await openConnection(url)
    connection.write(text)
    expect(countOf(await connection.closed(), 400)).toBe(1)
    expect(refusals).toMatchObject([{ error: { code: 'malformed_request' } }])
  })
})

describe('the request body', () => {
  const post = (body: string, ...headers: readonly string[]) =>
    ['POST / HTTP/1.1', 'Host: x', `Content-Length: ${body.length}`, ...headers, '', body].join('\r\n')

  /** Serves a pipeline that returns each body, and whether the body was available synchronously. */
  const startEcho = (most = 1000) =>
    start(async ({ readBody }) => {
      // Like the pipeline, which authenticates first.
      await Promise.resolve()
      const read = readBody(most)
      return { ...sent, body: JSON.stringify([Buffer.from(await read).toString(), !(read instanceof Promise)]) }
    })

  it('is available synchronously when it arrived with the headers', async () => {
    const { url } = await startEcho()
    const connection = await openConnection(url)
    connection.write(post('hello') + post('', 'Connection: close'))
    const text = await connection.closed()
    expect(text).toContain('["hello",true]')
    expect(text).toContain('["",true]')
  })

  it('is awaited when it arrives later', async () => {
    const entered = Promise.withResolvers<void>()
    const { url } = await start(async ({ readBody }) => {
      const read = readBody(1000)
      entered.resolve()
      return { ...sent, body: JSON.stringify([Buffer.from(await read).toString(), !(read instanceof Promise)]) }
    })
    const connection = await openConnection(url)
    connection.write(post('hello', 'Connection: close').slice(0, -2))
    await entered.promise
    connection.write('lo')
    expect(await connection.closed()).toContain('["hello",false]')
  })

  it.each([
    ['with the headers', (text: string) => [text]],
    ['in two pieces', (text: string) => [text.slice(0, -5), text.slice(-5)]],
  ])('is refused when it is too long, %s, and the connection stays open', async (_, cut) => {
    const { url } = await start(async ({ readBody }) => {
      await Promise.resolve()
      try {
        return { ...sent, body: String((await readBody(10)).length) }
      } catch (error) {
        return { ...refused, body: String((error as Error).message) }
      }
    })
    const connection = await openConnection(url)
    connection.socket.setNoDelay(true)
    for (const chunked of [false, true]) {
      const request = chunked
        ? 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n14\r\n01234567890123456789\r\n0\r\n\r\n'
        : post('01234567890123456789')
      for (const piece of cut(request)) connection.write(piece)
    }
    connection.write(post('0123456789', 'Connection: close'))
    const text = await connection.closed()
    expect(countOf(text, 400)).toBe(2)
    expect(countOf(text, 200)).toBe(1)
    expect(text).toContain('Request body too large')
  })

  it('closes the connection when nobody reads it and it does not end', async () => {
    const { url } = await start(async () => sent)
    const connection = await openConnection(url)
    connection.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nhalf')
    const time = startStopwatch()
    expect(countOf(await connection.closed(), 200)).toBe(1)
    expect(time()).toBeLessThan(10_000)
  })
})
