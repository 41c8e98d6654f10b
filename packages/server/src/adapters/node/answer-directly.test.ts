import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { securityHeaders } from '../../http/security-headers.ts'
import { openConnection } from '../../testing/raw-connection.ts'
import type { AnswerDirectly } from './directly.ts'
import { type Listening, type ListenOptions, listen } from './listen.ts'
import type { Fetch } from './request-way.ts'

const started: Listening[] = []
afterEach(async () => {
  await Promise.all(started.splice(0).map((listening) => listening.close(0)))
})

const ordinarily: Fetch = () => new Response('{"ordinarily":true}', { headers: securityHeaders })
const start = async (answerDirectly: AnswerDirectly, options: Partial<ListenOptions> = {}): Promise<Listening> => {
  const listening = await listen(ordinarily, { host: '127.0.0.1', port: 0, answerDirectly, ...options })
  started.push(listening)
  return listening
}

const sent = { status: 200, body: '{"directly":true}', headers: { 'X-Request-Id': 'r-1' } }
const get = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'
const countOf = (text: string, status: number): number => text.split(`HTTP/1.1 ${status} `).length - 1

/** A direct answer that comes once it is let. */
const held = () => {
  const [entered, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const answerDirectly: AnswerDirectly = async () => {
    entered.resolve()
    await gate.promise
    return sent
  }
  return { answerDirectly, entered: entered.promise, release: gate.resolve }
}

describe('a request that is answered directly', () => {
  it.each([
    ['at once', () => sent],
    ['later', async () => sent],
  ])('has every header once, and those of its own: %s', async (_, answerDirectly) => {
    const { url } = await start(answerDirectly)
    const response = await fetch(url)
    for (const [name, value] of Object.entries(securityHeaders)) expect(response.headers.get(name)).toBe(value)
    expect(response.headers.get('x-request-id')).toBe('r-1')
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(await response.text()).toBe(sent.body)
  })

  it('may say otherwise in headers of its own', async () => {
    const { url } = await start(() => ({ ...sent, headers: { 'Cache-Control': 'no-cache' } }))
    expect((await fetch(url)).headers.get('cache-control')).toBe('no-cache')
  })

  it('may have no body', async () => {
    const { url } = await start(() => ({ status: 204, body: null, headers: {} }))
    const response = await fetch(url)
    expect([response.status, await response.text(), response.headers.get('content-type')]).toEqual([204, '', null])
  })

  it('goes the ordinary way where that turns out, at once or later', async () => {
    for (const answerDirectly of [() => undefined, async () => undefined]) {
      const { url } = await start(answerDirectly)
      expect(await (await fetch(url)).json()).toEqual({ ordinarily: true })
    }
  })

  it('comes in its turn among others, and what is no request after them is refused', async () => {
    let asked = 0
    const { url } = await start(() => {
      asked += 1
      return asked % 3 === 0 ? undefined : asked % 3 === 1 ? sent : Promise.resolve(sent)
    })
    const connection = await openConnection(url)
    connection.write(`${get.repeat(30)}garbage\r\n\r\n`)
    const text = await connection.closed()
    expect([...text.matchAll(/\{"(\w+)":true\}/g)].map(([, way]) => way)).toEqual(
      Array.from({ length: 30 }, (_, at) => (at % 3 === 2 ? 'ordinarily' : 'directly')),
    )
    expect(countOf(text, 400)).toBe(1)
  })

  it('later reaches a client that has ended its own side, and then ends the connection', async () => {
    const { url } = await start(async (request) => {
      await once((request as IncomingMessage).socket, 'end')
      return sent
    })
    const connection = await openConnection(url)
    connection.socket.end(get)
    expect(await connection.closed()).toContain(sent.body)
  })

  it('is found out together with those that arrived with it, and then sent', async () => {
    const order: string[] = []
    const { url } = await start(({ url: path = '' }) => {
      order.push(path)
      const body = () => {
        order.push(`sent ${path}`)
        return sent.body
      }
      return Object.defineProperty({ ...sent }, 'body', { get: body })
    })
    const connection = await openConnection(url)
    connection.write(['/a', '/b', '/c'].map((path) => get.replace('/', path)).join(''))
    await connection.until(sent.body)
    expect(order.slice(0, 3)).toEqual(['/a', '/b', '/c'])
  })

  it('by a client that has gone leaves the server as it was', async () => {
    const { answerDirectly, entered, release } = held()
    const { url } = await start(answerDirectly)
    const connection = await openConnection(url)
    connection.write(get)
    await entered
    connection.socket.resetAndDestroy()
    await connection.closed()
    release()
    expect((await fetch(url)).status).toBe(200)
  })
})

describe('closing', () => {
  it('lets what is answered directly come to its answer, which ends the connection', async () => {
    const { answerDirectly, entered, release } = held()
    const { url, close } = await start(answerDirectly)
    const connection = await openConnection(url)
    connection.write(get)
    await entered
    const closed = close(5000)
    await expect(openConnection(url)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    release()
    const text = await connection.closed()
    expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(text.toLowerCase()).toContain('connection: close')
    expect(text).toContain(sent.body)
    await closed
  })

  it('answers directly what comes on a kept connection in that moment, and ends it then', async () => {
    const { url, close } = await start(() => sent)
    const connection = await openConnection(url)
    connection.write(get)
    await connection.until(sent.body)
    const closed = close(5000)
    connection.write(get)
    const text = await connection.closed()
    expect(countOf(text, 200)).toBe(2)
    expect(text.toLowerCase()).toContain('connection: close')
    await closed
  })

  it('ends connections that have nothing to do after a direct answer', async () => {
    const { url, close } = await start(() => sent)
    const kept = await openConnection(url)
    kept.write(get)
    await kept.until(sent.body)
    const startedAt = performance.now()
    await close(9000)
    await kept.closed()
    expect(performance.now() - startedAt).toBeLessThan(5000)
  })

  it('lets a client that is slow to read have what it was answered directly, and ends everything after its time', async () => {
    const long = { ...sent, body: JSON.stringify('x'.repeat(8 * 1024 * 1024)) }
    const { url, close } = await start(() => long)
    const [slow, deaf] = await Promise.all([openConnection(url), openConnection(url)])
    for (const { socket, write } of [slow, deaf]) {
      socket.pause()
      write(get)
    }
    await expect.poll(() => Math.min(slow.socket.bytesWritten, deaf.socket.bytesWritten)).toBe(get.length)
    // Both are under way by the time a later one is answered.
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
