import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HttpRequest, RequestHeaders } from '../../http/http-request.ts'
import { WireRefusal } from '../../http/refusals.ts'
import { collectAtMost } from '../../shared/collect-at-most.ts'
import type { RequestTarget } from './request-target.ts'

const nothing = new Uint8Array()

const collect = async (incoming: IncomingMessage, most: number): Promise<Uint8Array> => {
  // The connection must outlive a refusal, so that the client can read it.
  const bytes = await collectAtMost(incoming.iterator({ destroyOnReturn: false }), most)
  if (bytes === undefined) throw new WireRefusal('payload_too_large')
  return bytes
}

/** Returns whether the stream holds the whole body. A declared length is true: Node's parser holds the body to it. */
const hasArrived = ({ complete, readableLength, headers }: IncomingMessage): boolean =>
  complete || readableLength === Number(headers['content-length'])

/**
 * Reads the body of a request, as `HttpRequest.readBody` promises. Most bodies arrive with the headers, and are read from the
 * buffer of the stream.
 */
const readBody = (incoming: IncomingMessage, most: number): Uint8Array | Promise<Uint8Array> => {
  if (Number(incoming.headers['content-length']) > most) throw new WireRefusal('payload_too_large')
  if (!hasArrived(incoming)) return collect(incoming, most)
  if (incoming.readableLength > most) throw new WireRefusal('payload_too_large')
  return (incoming.read() as Uint8Array | null) ?? nothing
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

/**
 * Reads headers from Node's list of names and values. Node's own `headers` drops duplicates, and a `Headers` object costs more
 * than the few headers that a request needs.
 */
const headersOf = ({ rawHeaders }: IncomingMessage): RequestHeaders => ({
  get: (name) => headerValue(rawHeaders, name),
  has: (name) => headerValue(rawHeaders, name) !== null,
})

/** Returns a signal that is aborted when the connection of a response closes. */
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
