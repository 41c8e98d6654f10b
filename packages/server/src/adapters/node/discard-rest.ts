import type { IncomingMessage, ServerResponse } from 'node:http'

/** Milliseconds that the rest of a body may take once the response has been sent. */
const MOST_TIME = 500
const MOST_BYTES = 64 * 1024 * 1024

/**
 * Reads and drops the rest of a body that no step of the pipeline reads. Otherwise the client could not send its next request
 * on the connection. A rest that is too long or too slow ends the connection.
 */
export const discardRest = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
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
