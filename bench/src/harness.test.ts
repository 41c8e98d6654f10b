import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'
import { connectTo, toText } from './harness/http.ts'
import { startProgram } from './harness/program.ts'
import { type Contender, takeTurns } from './harness/round.ts'
import type { program as clientProgram } from './programs/client.ts'

const listen = async (answer: RequestListener): Promise<string> => {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

it('a connection sends each request and reads its whole response, again and again', async () => {
  const url = await listen((request, response) => {
    void text(request).then((body) => {
      const content = JSON.stringify([request.url, request.headers.authorization, request.headers['x-a'], body])
      response.setHeader('content-length', Buffer.byteLength(content)).end(content)
    })
  })
  const send = connectTo(url)
  for (const body of [{ a: 'ü' }, { a: 'x'.repeat(200_000) }]) {
    const request = toText(url, { method: 'POST', path: '/a?b', token: 't', headers: { 'x-a': 'y' }, body })
    expect(JSON.parse(await send(request))).toEqual(['/a?b', 'Bearer t', 'y', JSON.stringify(body)])
  }
})

it('a connection that the server ended while it was idle is replaced', async () => {
  const url = await listen((request, response) => {
    // The socket closes when the client has read its end.
    request.socket.once('close', closed.resolve)
    response.writeHead(200, { 'content-length': 2 }).end('ok', () => request.socket.end())
  })
  const closed = Promise.withResolvers<void>()
  const send = connectTo(url)
  const request = toText(url, { method: 'GET', path: '/' })
  expect(await send(request)).toBe('ok')
  await closed.promise
  expect(await send(request)).toBe('ok')
})

it('a response with an error status fails the benchmark, except with the expected status', async () => {
  const url = await listen((_, response) => response.writeHead(503, { 'content-length': 4 }).end('full'))
  const request = toText(url, { method: 'GET', path: '/' })
  await expect(connectTo(url)(request)).rejects.toThrow('GET / was answered with 503: full')
  expect(await connectTo(url, 503)(request)).toBe('full')
})

it('a client with a given rate sends each request when it is due, without waiting for earlier responses', async () => {
  const url = await listen((_, response) => response.setHeader('content-length', 2).end('{}'))
  const client = startProgram<typeof clientProgram>('client')
  onTestFinished(client.close)
  const begin = [{ method: 'GET', path: '/' }] as const
  await client.open({ url, begin, flow: 'requests', connections: 4, perSecond: 5 })
  const { operations, latency } = await client.round(2)
  expect(operations).toBe(10)
  // One period is 200 ms.
  expect(latency?.p50).toBeLessThan(100)
})

it('contenders warm up one after another, then take turns; a contender that does nothing fails the benchmark', async () => {
  const taken: string[] = []
  const contender = (name: string, operations: number): Contender => ({
    name,
    pid: process.pid,
    round: async (seconds) => {
      taken.push(name)
      return { operations, seconds }
    },
  })
  const turns = { rounds: 2, seconds: 1, warmUp: true, tell: () => {} }
  const results = await takeTurns([contender('a', 3), contender('b', 5)], turns)
  expect(taken).toStrictEqual(['a', 'b', 'a', 'b', 'a', 'b'])
  expect([...results.values()].map((rounds) => rounds.map(({ operations }) => operations))).toStrictEqual([
    [3, 3],
    [5, 5],
  ])
  await expect(takeTurns([contender('idle', 0)], turns)).rejects.toThrow('idle answered nothing in 1 s')
})
