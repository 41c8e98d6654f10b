import type { ServerResponse } from 'node:http'
import { type HttpResponse, headersOf } from '../../http/http-response.ts'

/** Sends a response of the pipeline on Node's own server. */
export const send = (outgoing: ServerResponse, response: HttpResponse): void => {
  const { status, body } = response
  const headers = headersOf(response)
  if (body === null || outgoing.req.method === 'HEAD') {
    outgoing.writeHead(status, headers).end()
  } else {
    headers['Content-Length'] = String(Buffer.byteLength(body))
    outgoing.writeHead(status, headers).end(body)
  }
}
