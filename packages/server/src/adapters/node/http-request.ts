import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HttpRequest, RequestHeaders } from '../../http/http-request.ts'
import { pathOfTarget, rawPath } from '../../http/paths.ts'
import { WireRefusal } from '../../http/refusals.ts'
import { collectAtMost } from '../../shared/collect-at-most.ts'

/** The target of a request, as the pipeline reads it. */
export type RequestTarget = Pick<HttpRequest, 'url' | 'path' | 'isCanonical'>

/** A host that no URL parser changes: lower case, and no default port of a scheme. */
const PLAIN_HOST = /^[a-z0-9._-]+(?::(?:[1-5]\d{3,4}|[6-9]\d{3}))?$/
/** A target that no URL parser changes, apart from dot segments. */
const PLAIN_TARGET = /^\/[!$&-;=?-[\]_a-z~]*$/
const DOT_SEGMENT = /\/\.\.?(?:[/?]|$)/

const isPlain = (host: string, target: string): boolean =>
  PLAIN_HOST.test(host) && PLAIN_TARGET.test(target) && !DOT_SEGMENT.test(target)

/** Returns the target as a URL; `undefined` if the target or the host is not part of one. */
const urlOf = (target: string, host: string): URL | undefined => {
  if (/^https?:\/\//.test(target)) return URL.parse(target) ?? undefined
  if (!target.startsWith('/')) return undefined
  const url = URL.parse(`http://${host}${target}`) ?? undefined
  // A host such as `a@b` or `a/b` is only partly the host of the URL.
  const isWholeHost = url?.hostname.length === host.length || url?.hostname === host.replace(/:\d+$/, '').toLowerCase()
  return PLAIN_HOST.test(host) || isWholeHost ? url : undefined
}

/** Returns the value of a header; several headers of one name are one text. */
const headerValue = (rawHeaders: readonly string[], wanted: string): string | null => {
  const name = wanted.toLowerCase()
  let value: string | null = null
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const given = rawHeaders[at] ?? ''
    if (given.length !== name.length || (given !== wanted && given.toLowerCase() !== name)) continue
    const text = rawHeaders[at + 1] ?? ''
    value = value === null ? text : `${value}, ${text}`
  }
  return value
}

/** Returns the Host header; `undefined` if there are several, or none in HTTP/1.1 (RFC 9112 §3.2). No response depends on it. */
const hostOf = ({ httpVersion, rawHeaders }: IncomingMessage): string | undefined => {
  const host = headerValue(rawHeaders, 'Host') ?? (httpVersion === '1.0' ? 'localhost' : '')
  return host.includes(', ') ? undefined : host
}

/** Reads the target; `undefined` if it or its host is malformed, has a backslash, or if the host is given twice. */
export const readTarget = (incoming: IncomingMessage): RequestTarget | undefined => {
  const target = incoming.url ?? ''
  const host = hostOf(incoming)
  const path = pathOfTarget(target) ?? ''
  if (host === undefined) return undefined
  if (isPlain(host, target)) return { url: target, path, isCanonical: true }
  if (/^[^?]*\\/.test(target) || (host === '' && target.startsWith('/'))) return undefined
  const url = urlOf(target, host)
  return url && { url: url.href, path, isCanonical: rawPath(url.href) === path }
}

const nothing = new Uint8Array()

const collect = async (incoming: IncomingMessage, most: number): Promise<Uint8Array> => {
  // The connection must outlive a refusal, so that the client can read it.
  const bytes = await collectAtMost(incoming.iterator({ destroyOnReturn: false }), most)
  if (bytes === undefined) throw new WireRefusal('payload_too_large')
  return bytes
}

/** Returns whether the stream already has the whole body. A declared length can be trusted, because Node's parser enforces it. */
const hasArrived = ({ complete, readableLength, headers }: IncomingMessage): boolean =>
  complete || readableLength === Number(headers['content-length'])

/** Reads the body, which mostly arrives with the headers, from the buffer of the stream. */
const readBody = (incoming: IncomingMessage, most: number): Uint8Array | Promise<Uint8Array> => {
  if (Number(incoming.headers['content-length']) > most) throw new WireRefusal('payload_too_large')
  if (!hasArrived(incoming)) return collect(incoming, most)
  if (incoming.readableLength > most) throw new WireRefusal('payload_too_large')
  return (incoming.read() as Uint8Array | null) ?? nothing
}

/** Reads Node's list of headers. Node's own `headers` drops duplicates, and a `Headers` object costs more than a request needs. */
const headersOf = ({ rawHeaders }: IncomingMessage): RequestHeaders => ({
  get: (name) => headerValue(rawHeaders, name),
  has: (name) => headerValue(rawHeaders, name) !== null,
})

const closedSignal = (outgoing: ServerResponse): AbortSignal => {
  const closed = new AbortController()
  if (outgoing.destroyed) closed.abort()
  else outgoing.once('close', () => closed.abort())
  return closed.signal
}

/** Turns a request of Node's server into a request of the pipeline. */
export const toHttpRequest = (incoming: IncomingMessage, outgoing: ServerResponse, target: RequestTarget): HttpRequest => ({
  ...target,
  method: incoming.method ?? '',
  headers: headersOf(incoming),
  peerAddress: () => incoming.socket.remoteAddress,
  disconnected: () => closedSignal(outgoing),
  readBody: (most) => readBody(incoming, most),
})
