import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'

export interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly bytes: Buffer
}

/** A real HTTP server that records its requests. */
export interface WebhookReceiver {
  readonly url: string
  readonly received: readonly Received[]
  /** Sets the response from now on: a status, or a function. The function receives the number of attempts so far. */
  answerWith(answer: number | ((response: ServerResponse, attempt: number) => void)): void
  close(): Promise<void>
}

/** Starts a receiver; with a certificate of `localhost`, one that speaks TLS. */
export const startWebhookReceiver = async (tls?: { readonly cert: string; readonly key: string }): Promise<WebhookReceiver> => {
  const received: Received[] = []
  let answer: (response: ServerResponse, attempt: number) => void = (response) => response.writeHead(204).end()
  const listener: RequestListener = (request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const bytes = Buffer.concat(parts)
      received.push({ path: request.url ?? '', headers: request.headers, body: bytes.toString(), bytes })
      answer(response, received.length)
    })
  }
  const server = tls === undefined ? createServer(listener) : createTlsServer(tls, listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `${tls === undefined ? 'http://127.0.0.1' : 'https://localhost'}:${(server.address() as AddressInfo).port}/hook`,
    received,
    answerWith: (next) => {
      answer = typeof next === 'number' ? (response) => response.writeHead(next).end() : next
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
