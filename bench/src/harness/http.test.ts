import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { connectTo, type Send } from './http.ts'

const given = async (answer: (request: IncomingMessage, response: ServerResponse) => void, connections = 1): Promise<Send> => {
  const server = createServer(answer)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return connectTo(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, connections)
}

const get = { method: 'GET', path: '/' } as const

/** Responds with the received request. */
const echo = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  const { method, url, headers } = request
  const content = JSON.stringify({
    method,
    url,
    authorization: headers.authorization,
    x: headers['x-a'],
    body: await text(request),
  })
  response.setHeader('Content-Length', Buffer.byteLength(content)).end(content)
}

describe('a conversation', () => {
  it('sends each request and reads its whole response, again and again on one connection', async () => {
    const send = await given((request, response) => void echo(request, response))
    for (const body of [{ a: 'ü' }, { a: 'x'.repeat(200_000) }, {}]) {
      expect(await send({ method: 'POST', path: '/a?b', token: 't', headers: { 'x-a': 'y' }, body })).toEqual({
        method: 'POST',
        url: '/a?b',
        authorization: 'Bearer t',
        x: 'y',
        body: JSON.stringify(body),
      })
    }
    expect(await send(get)).toMatchObject({ method: 'GET', body: '' })
  })

  it('carries one request for each connection in parallel', async () => {
    const send = await given((request, response) => void echo(request, response), 3)
    expect(await Promise.all([send(get), send(get), send(get)])).toHaveLength(3)
    const [, second] = await Promise.allSettled([send(get), send(get), send(get), send(get)].slice(2))
    expect(second?.status).toBe('rejected')
  })

  it.each<readonly [string, (response: ServerResponse) => void, RegExp]>([
    ['is an error', (response) => response.writeHead(503, { 'Content-Length': 2 }).end('{}'), /answered with 503: \{\}/],
    ['has no length', (response) => void response.write('{}', () => response.end()), /cannot be read/],
    ['is cut off', (response) => response.writeHead(200, { 'Content-Length': 9 }).write('{}', () => response.destroy()), /ended/],
  ])('fails when an answer %s', async (_, answer, reason) => {
    const send = await given((_request, response) => {
      response.useChunkedEncodingByDefault = true
      answer(response)
    })
    await expect(send(get)).rejects.toThrow(reason)
  })
})
