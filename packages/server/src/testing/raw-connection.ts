import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** A connection on which a test sends arbitrary bytes. */
export interface RawConnection {
  readonly socket: Socket
  write(text: string): void
  /** Returns everything received so far. */
  received(): string
  /** Resolves when this text was received. */
  until(text: string): Promise<void>
  /** Resolves with everything received when the other side has closed. */
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
  // A reset also ends a connection; the received text shows whether that was right.
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
