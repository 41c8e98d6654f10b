import type { ServerResponse } from 'node:http'
import { headersOf, type Sent } from '../../http/respond.ts'

/** Sends an answer of ours by Node's own means: what `respond` makes a `Response` of. */
export const send = (outgoing: ServerResponse, sent: Sent): void => {
  const { status, body } = sent
  const headers = headersOf(sent)
  if (body === null) {
    outgoing.writeHead(status, headers).end()
  } else {
    headers['Content-Length'] = String(Buffer.byteLength(body))
    outgoing.writeHead(status, headers).end(body)
  }
}
