import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** A connection on which a test writes what it likes, byte by byte. */
export interface RawConnection {
  readonly socket: Socket
  write(text: string): void
  /** Everything received so far. */
  received(): string
  /** Resolves once this was received. */
  until(text: string): Promise<void>
  /** Resolves, with everything received, once the other end has closed. */
  closed(): Promise<string>
}

export const openConnection = async (url: string): Promise<RawConnection> => {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  let text = ''
  socket.setEncoding('latin1')
  socket.on('data', (chunk: string) => {
    text += chunk
  })
  // A reset ends a connection as well; what was received tells whether it should have.
  socket.on('error', () => {})
  const ended = new Promise<string>((resolve) => socket.once('close', () => resolve(text)))
  await once(socket, 'connect')
  return {
    socket,
    write: (data) => socket.write(data),
    received: () => text,
    until: async (wanted) => {
      while (!text.includes(wanted)) {
        if (socket.closed) throw new Error(`the connection closed after ${JSON.stringify(text)}`)
        await Promise.race([once(socket, 'data'), ended])
      }
    },
    closed: () => ended,
  }
}
