import { once } from 'node:events'
import { createSecureServer, type IncomingHttpHeaders, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2'
import type { AddressInfo } from 'node:net'

/** A request as Apple's push service gets it. */
export interface ApnsRequest {
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** A server that speaks HTTP/2 over TLS, as Apple's push service does. */
export interface ApnsServer {
  readonly origin: string
  /** The requests that were answered or left open, in order. */
  readonly received: readonly ApnsRequest[]
  /** The connections so far. */
  readonly sessions: readonly ServerHttp2Session[]
  /** Sets the answer from now on. The function gets the number of requests so far. */
  answerWith(answer: (stream: ServerHttp2Stream, attempt: number) => void): void
  close(): Promise<void>
}

/** Answers as Apple does: with a status, and for a failure with its reason, and more members, in JSON. */
export const answerAs = (
  stream: ServerHttp2Stream,
  status: number,
  reason?: string,
  headers: Record<string, string> = {},
  members: Record<string, unknown> = {},
): void => {
  stream.respond({ ':status': status, ...headers })
  stream.end(reason === undefined ? undefined : JSON.stringify({ reason, ...members }))
}

export const startApnsServer = async (tls: { readonly cert: string; readonly key: string }): Promise<ApnsServer> => {
  const received: ApnsRequest[] = []
  const sessions: ServerHttp2Session[] = []
  let answer: (stream: ServerHttp2Stream, attempt: number) => void = (stream) => answerAs(stream, 200)
  const server = createSecureServer(tls)
  server.on('session', (session) => {
    sessions.push(session)
    session.on('error', () => {})
  })
  server.on('stream', (stream, headers) => {
    let body = ''
    stream.on('error', () => {})
    stream.setEncoding('utf8')
    stream.on('data', (part: string) => {
      body += part
    })
    stream.on('end', () => {
      if (stream.destroyed) return
      received.push({ headers, body })
      answer(stream, received.length)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `https://localhost:${(server.address() as AddressInfo).port}`,
    received,
    sessions,
    answerWith: (next) => {
      answer = next
    },
    close: async () => {
      for (const session of sessions) session.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
