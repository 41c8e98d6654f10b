import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** A connection that goes through the proxy. */
export interface ProxiedConnection {
  /** What the client said first. */
  readonly opening: string
  /** Passes nothing on to the client from now on, and keeps it; the client notices nothing but silence. */
  holdAnswers(): void
  /** Neither passes anything on to the client, nor to the server. */
  hold(): void
  /** Passes on what was kept, and whatever comes. */
  release(): void
  /** What is kept from the client. */
  readonly kept: string
  readonly isOpen: boolean
}

/** A network between clients and a server on the loopback address that a test can break. */
export interface TcpProxy {
  readonly port: number
  /** Every connection ever made, in order. */
  readonly connections: readonly ProxiedConnection[]
  /** Holds every connection from its first byte, those to come too; `false` lets those to come through. */
  holdNew(isHeld: boolean): void
  /** Ends every connection. */
  close(): Promise<void>
}

/** One direction of a connection, which can be dammed. */
const flow = (from: Socket, to: Socket, changed: (chunk: Buffer) => Buffer = (chunk) => chunk) => {
  let isHeld = false
  let kept: Buffer[] = []
  from.on('data', (sent: Buffer) => {
    const chunk = changed(sent)
    if (isHeld) kept.push(chunk)
    else to.write(chunk)
  })
  return {
    hold: () => {
      isHeld = true
    },
    release: () => {
      isHeld = false
      for (const chunk of kept) to.write(chunk)
      kept = []
    },
    get kept() {
      return Buffer.concat(kept).toString('latin1')
    },
  }
}

/**
 * Starts a proxy before a server. Whoever starts it closes it.
 *
 * @param changedAnswers What is passed on to the client in place of what the server said.
 */
export const startTcpProxy = async (serverPort: number, changedAnswers?: (chunk: Buffer) => Buffer): Promise<TcpProxy> => {
  const connections: ProxiedConnection[] = []
  const sockets = new Set<Socket>()
  let holdsNew = false

  const server = createServer((client) => {
    const upstream = connect(serverPort, '127.0.0.1')
    const toServer = flow(client, upstream)
    const toClient = flow(upstream, client, changedAnswers)
    let opening = ''
    client.once('data', (chunk: Buffer) => {
      opening = chunk.toString('latin1')
    })
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one)
      one.setNoDelay(true)
      one.on('error', () => {})
      one.on('close', () => {
        sockets.delete(one)
        other.destroy()
      })
    }
    const connection: ProxiedConnection = {
      get opening() {
        return opening
      },
      holdAnswers: toClient.hold,
      hold: () => {
        toServer.hold()
        toClient.hold()
      },
      release: () => {
        toServer.release()
        toClient.release()
      },
      get kept() {
        return toClient.kept
      },
      get isOpen() {
        return !client.destroyed
      },
    }
    if (holdsNew) connection.hold()
    connections.push(connection)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port')

  return {
    port: address.port,
    connections,
    holdNew: (isHeld) => {
      holdsNew = isHeld
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
