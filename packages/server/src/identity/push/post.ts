import { once } from 'node:events'
import { type Agent, type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { PushAnswer } from './deliver.ts'

/** Bytes of an answer that are read. A longer answer ends the connection. */
const MOST_READ = 4096

interface Post {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array | string
  readonly signal: AbortSignal
  readonly agent: Agent | undefined
}

const read = async (response: AsyncIterable<Buffer>): Promise<string> => {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of response) {
    size += part.length
    if (size > MOST_READ) return ''
    parts.push(part)
  }
  return Buffer.concat(parts).toString()
}

/** Posts a body without following redirects, and returns the answer. Its text is empty if it has more than 4 KB or breaks off. */
export const post = async ({ url, headers, body, signal, agent }: Post): Promise<PushAnswer & { readonly text: string }> => {
  const send = url.protocol === 'https:' ? requestHttps : requestHttp
  const request = send(url, { method: 'POST', headers, signal, agent }).end(body)
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  // The status decides. A text that breaks off changes nothing.
  request.on('error', () => {})
  const { statusCode: status = 0, headers: answered } = response
  return { status, retryAfter: answered['retry-after'], text: await read(response).catch(() => '') }
}
