import { type AddressInfo, connect, Server as NetServer, type Socket } from 'node:net'

/** Milliseconds. A turn of the event loop without any work is shorter. */
const SHORT = 0.05
/** Milliseconds after which no quiet turn is expected any more. */
const LONGEST_WAIT = 100

/** Resolves after a turn of the event loop without work of sockets: closing would reset no connection that waits. */
const quietTurn = (): Promise<void> =>
  new Promise((resolve) => {
    const until = performance.now() + LONGEST_WAIT
    let turnBegan = performance.now()
    const endTurn = (): void => {
      const now = performance.now()
      if (now - turnBegan < SHORT || now >= until) {
        resolve()
        return
      }
      turnBegan = performance.now()
      setImmediate(endTurn)
    }
    setImmediate(endTurn)
  })

/** The smallest backlog with which Linux gives no warning of a flood. Linux lets one connection more than the backlog wait. */
const BACKLOG = 1
const QUEUE = BACKLOG + 1
const MOST_TRIES = 20

/** The parts of a socket that Node does not declare. Each returns 0 on success. */
interface SocketHandle {
  listen(backlog: number): number
  getpeername(address: object): number
}

const handleOf = (socket: NetServer | Socket): Partial<SocketHandle> | undefined =>
  (socket as { readonly _handle?: Partial<SocketHandle> | null })._handle ?? undefined

/** Returns whether the operating system has made the connection. Node itself learns of it in the next turn of the event loop. */
const isConnected = (socket: Socket): boolean => handleOf(socket)?.getpeername?.({}) === 0

const limitQueue = (server: NetServer): boolean => process.platform === 'linux' && handleOf(server)?.listen?.(BACKLOG) === 0

const hostOf = ({ address }: AddressInfo): string => {
  if (address === '::') return '::1'
  return address === '0.0.0.0' ? '127.0.0.1' : address
}

const connectTo = (server: NetServer): Socket => {
  const address = server.address() as AddressInfo
  const socket = connect(address.port, hostOf(address))
  socket.on('error', () => {})
  return socket
}

/** Runs the connection attempts that are scheduled, and nothing else: the event loop does not turn. */
const attemptsMade = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve))

/** Closes a listening socket as a plain socket server does. `close` of an HTTP server would also end idle connections. */
const closeSocket = (server: NetServer): void => {
  NetServer.prototype.close.call(server)
}

/**
 * Closes a listening socket without resetting a connection. Closing resets each connection in the queue from which this process
 * accepts, and a proxy does not repeat every request that it has sent on one. So this function fills the queue with connections of
 * its own when the queue is empty. The operating system then ignores new connections, whose clients try again within a second, and
 * turn to another server. Only Linux keeps such a queue; elsewhere the socket is closed when no connection should wait.
 */
export const closeListener = async (server: NetServer): Promise<void> => {
  if (!limitQueue(server)) {
    await quietTurn()
    closeSocket(server)
    return
  }
  const own: Socket[] = []
  for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
    await quietTurn()
    const fillers = Array.from({ length: QUEUE }, () => connectTo(server))
    own.push(...fillers)
    await attemptsMade()
    // A missing connection had no place, so another client's connection waits. It is accepted in the next turn.
    if (fillers.every(isConnected)) break
    for (const filler of fillers) filler.destroy()
  }
  closeSocket(server)
  for (const socket of own) socket.destroy()
}
