import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** A real HTTP server that records its requests. */
export interface WebhookReceiver {
  readonly url: string
  readonly received: readonly Received[]
  /** Sets the response from now on: a status, or a function. The function receives the number of attempts so far. */
  answerWith(answer: number | ((response: ServerResponse, attempt: number) => void)): void
  close(): Promise<void>
}

export const startWebhookReceiver = async (): Promise<WebhookReceiver> => {
  const received: Received[] = []
  let answer: (response: ServerResponse, attempt: number) => void = (response) => response.writeHead(204).end()
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (chunk: string) => {
      body += chunk
    })
    request.on('end', () => {
      received.push({ headers: request.headers, body })
      answer(response, received.length)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
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
