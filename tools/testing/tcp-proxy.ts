import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** A connection through the proxy. */
export interface ProxiedConnection {
  /** The first bytes from the client. */
  readonly opening: string
  /** Keeps data for the client back from now on. The client sees only silence. */
  holdAnswers(): void
  /** Keeps data back in both directions. */
  hold(): void
  /** Forwards the kept data and all later data. */
  release(): void
  /** The data kept back from the client. */
  readonly kept: string
  readonly isOpen: boolean
}

/** A network between clients and a server on the loopback address that a test can interrupt. */
export interface TcpProxy {
  readonly port: number
  /** All connections so far, in order. */
  readonly connections: readonly ProxiedConnection[]
  /**
   * Keeps data of every connection back from its first byte, including new connections; `false` lets new connections through.
   */
  holdNew(isHeld: boolean): void
  /** Ends all connections. */
  close(): Promise<void>
}

/** One direction of a connection, which can be paused. */
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
 * Starts a proxy in front of a server. The caller closes it.
 *
 * @param changedAnswers Returns the data for the client in place of the data from the server.
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
