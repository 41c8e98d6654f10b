import type { IncomingMessage, ServerResponse } from 'node:http'
import { setImmediate } from 'node:timers'
import type { Logger } from '@countersign/core'
import type { Pipeline } from '../../http/handle-request.ts'
import { type HttpResponse, headersOf } from '../../http/http-response.ts'
import { pathOfTarget } from '../../http/paths.ts'
import { WireRefusal } from '../../http/refusals.ts'
import { describeError } from '../../logging/error-fields.ts'
import { readTarget, toHttpRequest } from './http-request.ts'

/** Larger batches gain nothing, and the first item would wait for the last. */
const LARGEST_BATCH = 64

/**
 * Returns a function that collects the items of one event-loop turn, and processes them before the loop reads from sockets again.
 * Requests that run at the same time then share each step of the pipeline, and one look at the database. See ADR 0018.
 */
export const batchPerTick = <T>(process: (batch: readonly T[]) => void): ((item: T) => void) => {
  let waiting: T[] = []
  const processAll = (): void => {
    const batch = waiting
    waiting = []
    if (batch.length > 0) process(batch)
  }
  return (item) => {
    if (waiting.length === 0) setImmediate(processAll)
    waiting.push(item)
    if (waiting.length === LARGEST_BATCH) processAll()
  }
}

/** Milliseconds that the rest of a body may take once the response has been sent. */
const MOST_TIME = 500
const MOST_BYTES = 64 * 1024 * 1024

/** Drops the rest of a body that no step reads, so that the connection lives on, unless the rest is too long or slow. */
const discardRest = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
  if (incoming.readableEnded) return
  if (incoming.complete) {
    incoming.resume()
    return
  }
  outgoing.once('finish', () => {
    if (incoming.destroyed || incoming.readableEnded) return
    let length = 0
    const end = (): void => {
      incoming.socket.destroySoon()
    }
    const timer = setTimeout(end, MOST_TIME).unref()
    incoming.on('data', (chunk: Uint8Array) => {
      length += chunk.byteLength
      if (length > MOST_BYTES) end()
    })
    incoming.once('close', () => clearTimeout(timer))
    incoming.resume()
  })
}

const send = (outgoing: ServerResponse, response: HttpResponse): void => {
  const { status, body, stream } = response
  const headers = headersOf(response)
  if (stream !== undefined) {
    outgoing.writeHead(status, headers)
    const { socket } = outgoing.req
    // A client that closes its side reads no further events, so the other side is closed too.
    const destroy = () => outgoing.destroy()
    socket.once('end', destroy)
    outgoing.once('close', () => {
      socket.off('end', destroy)
      stream.leave()
    })
    stream.attach(outgoing)
    if (outgoing.destroyed || socket.readableEnded) {
      destroy()
      stream.leave()
    }
  } else if (body === null || outgoing.req.method === 'HEAD') {
    outgoing.writeHead(status, headers).end()
  } else {
    headers['Content-Length'] = String(Buffer.byteLength(body))
    outgoing.writeHead(status, headers).end(body)
  }
}

type NodePipeline = Pick<Pipeline, 'handleRequest' | 'refuse'>

const pathOf = ({ url = '' }: IncomingMessage): string => pathOfTarget(url) ?? ''

interface NodeHandlerOptions {
  /** True if requests of one turn start together, which is quicker, in the asynchronous context of the first one. */
  readonly inBatches?: boolean
}

export type NodeHandler = (incoming: IncomingMessage, outgoing: ServerResponse) => void

/** Makes the handler of Node's server, without `Request` and `Response`, which would cost more than most operations (ADR 0018). */
export const createNodeHandler = (
  { handleRequest, refuse }: NodePipeline,
  logger: Logger,
  { inBatches = true }: NodeHandlerOptions = {},
): NodeHandler => {
  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const target = readTarget(incoming)
    const response =
      target === undefined
        ? refuse(new WireRefusal('malformed_request'), pathOf(incoming))
        : await handleRequest(toHttpRequest(incoming, outgoing, target))
    discardRest(incoming, outgoing)
    send(outgoing, response)
  }
  const start = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    answer(incoming, outgoing).catch((error: unknown) => {
      // The pipeline turns every error into a response. An error outside of the pipeline must not end the process.
      logger.error('response_failed', describeError(error))
      if (outgoing.headersSent) outgoing.destroy()
      else send(outgoing, refuse(error, pathOf(incoming)))
    })
  }
  if (!inBatches) return start
  const startInBatch = batchPerTick((batch: readonly ServerResponse[]) => {
    for (const outgoing of batch) start(outgoing.req, outgoing)
  })
  return (_incoming, outgoing) => startInBatch(outgoing)
}
