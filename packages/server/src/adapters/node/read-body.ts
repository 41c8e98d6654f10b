import type { IncomingMessage } from 'node:http'
import { WireRefusal } from '../../http/refusals.ts'

const nothing = new Uint8Array()

const collect = async (incoming: IncomingMessage, most: number): Promise<Uint8Array> => {
  const chunks: Uint8Array[] = []
  let length = 0
  // The connection must outlive a refusal, so that the client can read it.
  const stream = incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>
  for await (const chunk of stream) {
    length += chunk.byteLength
    if (length > most) throw new WireRefusal('payload_too_large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, length)
}

/** Returns whether the stream holds the whole body. A declared length is true: Node's parser holds the body to it. */
const hasArrived = ({ complete, readableLength, headers }: IncomingMessage): boolean =>
  complete || readableLength === Number(headers['content-length'])

/**
 * Reads the body of a request, as `HttpRequest.readBody` promises. Most bodies arrive with the headers, and are read from the
 * buffer of the stream.
 */
export const readBody = (incoming: IncomingMessage, most: number): Uint8Array | Promise<Uint8Array> => {
  if (Number(incoming.headers['content-length']) > most) throw new WireRefusal('payload_too_large')
  if (!hasArrived(incoming)) return collect(incoming, most)
  if (incoming.readableLength > most) throw new WireRefusal('payload_too_large')
  return (incoming.read() as Uint8Array | null) ?? nothing
}
