import { connect, type Socket } from 'node:net'
import type pg from 'pg'

/** Milliseconds. */
const TIMEOUT = 1000
/** The request code of a CancelRequest (PostgreSQL, "Message Formats"). */
const CANCEL = 80_877_102

/** The driver's types omit what the server announced (BackendKeyData). */
type Announced = pg.Client & { readonly processID?: number | null; readonly secretKey?: number | null }

/** Returns how to reach the server of a connection. The address stays the same if the name of the host changes. */
const addressOf = ({ host, port, connection: { stream } }: pg.Client) => {
  const { remoteAddress, remotePort } = stream as Socket
  if (host.startsWith('/')) return { path: `${host}/.s.PGSQL.${port}` }
  return { host: remoteAddress ?? host, port: remotePort ?? port }
}

/**
 * Closes a connection whose server does not answer, and asks the server to end the statement. Without that request PostgreSQL
 * would keep the session for as long as the statement waits, for example for a synchronous standby. Resolves within a second.
 */
export const cancelStatement = async (client: Announced): Promise<void> => {
  const { processID, secretKey } = client
  const address = addressOf(client)
  client.connection.stream.destroy()
  if (typeof processID !== 'number' || typeof secretKey !== 'number') return
  const message = Buffer.alloc(16)
  for (const [index, value] of [message.length, CANCEL, processID, secretKey].entries()) message.writeInt32BE(value, 4 * index)
  await new Promise<void>((resolve) => {
    const socket = connect(address, () => socket.end(message))
    socket.setTimeout(TIMEOUT, () => socket.destroy())
    socket.on('error', () => {})
    socket.on('close', () => resolve())
    // The server closes its side when it has handled the request.
    socket.resume()
  })
}
