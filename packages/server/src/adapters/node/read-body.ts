import type { IncomingMessage } from 'node:http'
import { WireRefusal } from '../../http/refusals.ts'

const nothing = new Uint8Array()

const collect = async (incoming: IncomingMessage, most: number): Promise<Uint8Array> => {
  const chunks: Uint8Array[] = []
  let length = 0
  // The connection must outlive a refusal, so that the client can read it.
  for await (const chunk of incoming.iterator({ destroyOnReturn: false })) {
    length += chunk.byteLength
    if (length > most) throw new WireRefusal('payload_too_large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, length)
}

/**
 * Reads the body of a request, as `HttpRequest.readBody` promises. Where the body has arrived with the headers, it is read
 * from the buffer of the stream; most bodies have. A declared length is true: Node's parser holds the body to it.
 */
export const readBody = (incoming: IncomingMessage, most: number): Uint8Array | Promise<Uint8Array> => {
  if (Number(incoming.headers['content-length']) > most) throw new WireRefusal('payload_too_large')
  if (!incoming.complete) return collect(incoming, most)
  if (incoming.readableLength > most) throw new WireRefusal('payload_too_large')
  const bytes: Uint8Array | null = incoming.read()
  return bytes ?? nothing
}
