import { once } from 'node:events'
import { type Agent, type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { collectAtMost } from '../../shared/collect-at-most.ts'
import type { PushAnswer } from './deliver.ts'

/** Bytes of an answer that are read. A longer answer ends the connection. */
const MOST_READ = 4096

interface Post {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array | string
  readonly signal: AbortSignal
  readonly agent?: Agent | undefined
}

/** Reads the text of an answer. It is empty if it has more than 4 KB or breaks off: the status decides. */
export const readAnswer = async (response: AsyncIterable<Buffer>): Promise<string> => {
  const bytes = await collectAtMost(response, MOST_READ).catch(() => undefined)
  return bytes?.toString() ?? ''
}

/** Posts a body without following redirects, and returns the answer. Its text is empty if it has more than 4 KB or breaks off. */
export const post = async ({ url, headers, body, signal, agent }: Post): Promise<PushAnswer & { readonly text: string }> => {
  const send = url.protocol === 'https:' ? requestHttps : requestHttp
  const request = send(url, { method: 'POST', headers, signal, agent }).end(body)
  // The signal causes two errors, and `once` handles only the first.
  request.on('error', () => {})
  const [response] = (await once(request, 'response', { signal })) as [IncomingMessage]
  const { statusCode: status = 0, headers: answered } = response
  return { status, retryAfter: answered['retry-after'], text: await readAnswer(response) }
}
