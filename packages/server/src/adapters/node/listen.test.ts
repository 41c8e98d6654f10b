import { once } from 'node:events'
import { createServer } from 'node:net'
import { Readable } from 'node:stream'
import { afterEach, describe, expect, it } from 'vitest'
import { startStopwatch } from '../../../../../tools/testing/stopwatch.ts'
import { securityHeaders } from '../../http/http-response.ts'
import { openConnection } from '../../testing/raw-connection.ts'
import type { NodeHandler } from './handler.ts'
import { type Listening, type ListenOptions, listen } from './listen.ts'

const started: Listening[] = []
afterEach(async () => {
  await Promise.all(started.splice(0).map((listening) => listening.close(0)))
})

const answer: NodeHandler = (_incoming, outgoing) => void outgoing.end('{}')
const start = async (handler: NodeHandler = answer, options: Partial<ListenOptions> = {}): Promise<Listening> => {
  const listening = await listen(handler, { host: '127.0.0.1', port: 0, ...options })
  started.push(listening)
  return listening
}

const deferred = () => {
  let resolve: () => void = () => {}
  const promise = new Promise<void>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}

const statusLine = (text: string) => text.slice(0, text.indexOf('\r\n'))
const expectRefusal = (text: string, status: number) => {
  expect(statusLine(text)).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  for (const [name, value] of Object.entries(securityHeaders))
    expect(text.toLowerCase()).toContain(`${name}: ${value}`.toLowerCase())
  expect(JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4))).toEqual({
    message: expect.any(String),
    statusCode: status,
    code: expect.stringMatching(/^[a-z_]+$/),
    ...(status === 400 ? { details: {} } : {}),
  })
}

describe('a listening server', () => {
  it('answers at the configured address', async () => {
    const { url } = await start()
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect((await fetch(url)).status).toBe(200)
  })

  it('reports a port in use in one line', async () => {
    const { url } = await start()
    const port = Number(new URL(url).port)
    await expect(start(answer, { port })).rejects.toMatchObject({
      name: 'StartupError',
      lines: [`127.0.0.1:${port} cannot be listened on: another program uses the port (EADDRINUSE)`],
    })
  })

  it('reports an invalid or foreign address in one line', async () => {
    await expect(start(answer, { host: '203.0.113.1' })).rejects.toMatchObject({
      lines: ['203.0.113.1:0 cannot be listened on: this machine has no such address (EADDRNOTAVAIL)'],
    })
    await expect(start(answer, { host: 'no-such-host.invalid' })).rejects.toMatchObject({
      lines: [expect.stringMatching(/^no-such-host\.invalid:0 .+ \(\w+\)$/)],
    })
  })
})

describe('an unreadable request is refused with every header and the connection is closed', () => {
  const refusalOf = async (text: string, options: Partial<ListenOptions> = {}) => {
    const { url } = await start(answer, options)
    const connection = await openConnection(url)
    connection.write(text)
    return connection.closed()
  }

  it.each([
    ['no HTTP', 'hello\r\n\r\n', 400],
    [
      'a length and a transfer encoding',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello', 400],
    ['a space before the colon', 'GET / HTTP/1.1\r\nHost : x\r\n\r\n', 400],
    ['an invalid target', 'GET x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 400],
    ['headers beyond 16 KiB', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(17_000)}\r\n\r\n`, 431],
    ['a strange expectation', 'POST / HTTP/1.1\r\nHost: x\r\nExpect: tea\r\nContent-Length: 0\r\n\r\n', 417],
  ])('for %s', async (_, text, status) => expectRefusal(await refusalOf(text), status))

  it('when its headers do not arrive in time', async () => {
    for (const text of ['', 'GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ']) {
      expectRefusal(await refusalOf(text, { headersTimeout: 100, requestTimeout: 200 }), 408)
    }
  })

  it('when its body does not arrive in time', async () => {
    const whenRead: NodeHandler = (incoming, outgoing) => void incoming.resume().once('end', () => outgoing.end())
    const { url } = await start(whenRead, { headersTimeout: 100, requestTimeout: 200 })
    const connection = await openConnection(url)
    connection.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nhalf')
    expectRefusal(await connection.closed(), 408)
  })
})

it('a client that does not read its response is disconnected', async () => {
  const chunk = new Uint8Array(64 * 1024)
  const cutOff = deferred()
  const endless: NodeHandler = (_incoming, outgoing) => {
    outgoing.once('close', cutOff.resolve)
    new Readable({
      read: function () {
        this.push(chunk)
      },
    }).pipe(outgoing)
  }
  const { url } = await start(endless, { idleTimeout: 200 })
  const connection = await openConnection(url)
  connection.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  connection.socket.pause()
  await cutOff.promise
  connection.socket.destroy()
})

/** Waits until the server accepts no more connections, which takes a few turns of the event loop. */
const refusing = (url: string): Promise<void> =>
  expect
    .poll(() =>
      openConnection(url).then(
        ({ socket }) => void socket.destroy(),
        ({ code }: NodeJS.ErrnoException) => code,
      ),
    )
    .toBe('ECONNREFUSED')

describe('closing the server', () => {
  it('lets a running request finish and then ends its connection', async () => {
    const entered = deferred()
    const gate = deferred()
    const { url, close } = await start((_incoming, outgoing) => {
      entered.resolve()
      void gate.promise.then(() => outgoing.end('done'))
    })
    const connection = await openConnection(url)
    connection.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    await entered.promise
    const closed = close(5000)
    await refusing(url)
    gate.resolve()
    const text = await connection.closed()
    expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(text.toLowerCase()).toContain('connection: close')
    expect(text).toContain('done')
    await closed
  })

  it('answers a request that arrives at that moment on a keep-alive connection, then ends the connection', async () => {
    const { url, close } = await start()
    const connection = await openConnection(url)
    connection.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    await connection.until('{}')
    const closed = close(5000)
    connection.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    const text = await connection.closed()
    expect(text.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2)
    expect(text.toLowerCase()).toContain('connection: close')
    await closed
  })

  it('ends idle connections, whether or not they ever sent a request', async () => {
    const { url, close } = await start()
    const kept = await openConnection(url)
    kept.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    await kept.until('{}')
    const silent = await openConnection(url)
    const time = startStopwatch()
    await close(9000)
    await Promise.all([kept.closed(), silent.closed()])
    expect(time()).toBeLessThan(5000)
  })

  it('ends every connection when the time limit is reached', async () => {
    const { url, close } = await start(() => {})
    const connection = await openConnection(url)
    connection.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    const closed = close(600)
    expect(await connection.closed()).toBe('')
    await closed
  })
})

it('a closed server does not listen, even when another process takes its port', async () => {
  const { url, close } = await start()
  await close(1000)
  const port = Number(new URL(url).port)
  const other = createServer().listen(port, '127.0.0.1')
  await once(other, 'listening')
  other.close()
})
