import type { ServerResponse } from 'node:http'
import { securityHeaders } from '../middleware/security-headers.ts'
import type { Sent } from '../wire/respond.ts'

const constant: readonly string[] = Object.entries(securityHeaders).flat()
const constantOfJson: readonly string[] = [...constant, 'Content-Type', 'application/json']

/** Sends an answer of ours by Node's own means: what `respond` makes a `Response` of. */
export const send = (outgoing: ServerResponse, { status, body, headers }: Sent): void => {
  const fields = body === null ? constant.slice() : constantOfJson.slice()
  for (const name in headers) fields.push(name, headers[name] ?? '')
  if (body !== null) fields.push('Content-Length', String(Buffer.byteLength(body)))
  outgoing.writeHead(status, fields)
  outgoing.end(body ?? undefined)
}
