import { STATUS_CODES } from 'node:http'
import { rawErrorBody } from '../../http/error-responses.ts'
import { securityHeaders } from '../../http/http-response.ts'

/** Errors of Node's parser and timers before a request exists, by code. Any other code means a malformed request. */
const statusOfCode: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

export const statusOfConnectionError = (code: string | undefined): number => statusOfCode[code ?? ''] ?? 400

/** A refusal as bytes of HTTP, for connections on which no request could be read. The connection ends with it. */
export const rawRefusal = (status: number): string => {
  const message = STATUS_CODES[status] ?? ''
  const body = JSON.stringify(rawErrorBody(status, message))
  const headers = {
    ...securityHeaders,
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${message}\r\n${lines.join('')}\r\n${body}`
}
