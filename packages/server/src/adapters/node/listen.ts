import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Sent } from '../../http/respond.ts'
import { within } from '../../shared/deadline.ts'
import { failureCode, StartupError } from '../../startup-error.ts'
import type { AnswerDirectly } from './directly.ts'
import { rawRefusal, statusOfConnectionError } from './raw-refusal.ts'
import { type Fetch, requestWay } from './request-way.ts'
import { send } from './send.ts'
import { together } from './together.ts'

/** Where a server listens, and how long it waits for what does not come. All times have defaults. */
export interface ListenOptions {
  readonly host: string
  /** 0: any free port. */
  readonly port: number
  /** Milliseconds for all of a request's headers to arrive. */
  readonly headersTimeout?: number
  /** Milliseconds for all of a request to arrive. */
  readonly requestTimeout?: number
  /** Milliseconds a connection may do nothing while a request or an answer is under way. */
  readonly idleTimeout?: number
  /** Milliseconds a connection may wait for its next request. More than balancers' usual minute, so that they end it. */
  readonly keepAliveTimeout?: number
  /** Answers what needs no `Request`; the handler has the rest. */
  readonly answerDirectly?: AnswerDirectly
}

export interface Listening {
  readonly url: string
  readonly port: number
  /**
   * Takes no new connection, lets requests come to their answers, and ends all connections: those that have nothing to
   * do after a moment, what is left after `time` milliseconds.
   */
  close(time: number): Promise<void>
}

/** So that a client on a kept connection, whose next request is on its way already, is answered and not cut off. */
const MOMENT = 500
const CHECK_EVERY = 1000
const MOST_HEADER_BYTES = 16 * 1024

const whyNot: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is in use by another program',
  EACCES: 'is not allowed to this user',
  EADDRNOTAVAIL: 'is no address of this machine',
  ENOTFOUND: 'is a host name that is not known',
}

const urlOf = ({ address, port }: AddressInfo, host: string): string => {
  const isAny = address === '::' || address === '0.0.0.0'
  const name = isAny ? 'localhost' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}

/**
 * Serves a handler over HTTP/1.1, with bounds on everything that a slow or hostile client can stretch.
 * @throws StartupError where the address cannot be listened on
 */
export const listen = async (fetch: Fetch, options: ListenOptions): Promise<Listening> => {
  const {
    host,
    port,
    headersTimeout = 10_000,
    requestTimeout = 30_000,
    idleTimeout = 30_000,
    keepAliveTimeout = 65_000,
    answerDirectly = () => undefined,
  } = options
  /** Connections, and the answer that is under way on each. */
  const connections = new Map<Duplex, ServerResponse | undefined>()
  let isClosing = false

  const { handle, load } = requestWay(fetch)

  const answerLater = (outgoing: ServerResponse, sent: Sent | undefined) =>
    sent === undefined ? handle(outgoing.req, outgoing) : send(outgoing, sent)
  const answer = together((all: readonly ServerResponse[]): void => {
    // Sent once all are known: to find out and send one by one would take half as long again.
    const known: { readonly outgoing: ServerResponse; readonly sent: Sent }[] = []
    for (const outgoing of all) {
      if (isClosing) outgoing.setHeader('Connection', 'close')
      const soon = answerDirectly(outgoing.req)
      if (soon === undefined) void handle(outgoing.req, outgoing)
      else if (soon instanceof Promise) void soon.then((sent) => answerLater(outgoing, sent))
      else known.push({ outgoing, sent: soon })
    }
    for (const { outgoing, sent } of known) send(outgoing, sent)
  })

  const server = createServer(
    {
      headersTimeout,
      requestTimeout,
      keepAliveTimeout,
      connectionsCheckingInterval: Math.min(CHECK_EVERY, headersTimeout),
      maxHeaderSize: MOST_HEADER_BYTES,
      // The handler refuses a missing Host itself, with the headers of every answer.
      requireHostHeader: false,
    },
    (incoming, outgoing) => {
      connections.set(incoming.socket, outgoing)
      outgoing.once('close', () => {
        if (connections.get(incoming.socket) === outgoing) connections.set(incoming.socket, undefined)
      })
      answer(outgoing)
    },
  )
  server.timeout = idleTimeout
  // A client that has said it will send nothing more may still wait for its answer, however long that takes.
  Object.assign(server, { httpAllowHalfOpen: true })
  server.on('connection', (socket: Socket) => {
    connections.set(socket, undefined)
    socket.once('close', () => connections.delete(socket))
  })
  // Once the first has its answer, so that neither that one waits for it nor the first login.
  server.once('request', (_incoming, outgoing: ServerResponse) => {
    outgoing.once('close', () => setImmediate(() => void load()))
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const answer = connections.get(socket)
    const refuse = (): void => {
      if (!socket.writable) socket.destroy()
      else socket.end(rawRefusal(statusOfConnectionError(error.code)), () => socket.destroy())
    }
    if (error.code === 'ECONNRESET') socket.destroy()
    // What is wrong came after a whole request: were it refused first, that would be taken for the request's answer.
    else if (answer?.req.complete === true) answer.once('close', refuse)
    else if (answer?.headersSent === true) socket.destroy()
    else refuse()
  })
  // `Expect` with anything but 100-continue, which Node answers itself (RFC 9110 §10.1.1).
  server.on('checkExpectation', (_incoming, outgoing) => {
    outgoing.shouldKeepAlive = false
    outgoing.socket?.end(rawRefusal(417))
  })

  try {
    server.listen(port, host)
    await once(server, 'listening')
  } catch (cause) {
    const code = failureCode(cause)
    throw new StartupError([`${host}:${port} ${whyNot[code] ?? 'cannot be listened on'} (${code})`], { cause })
  }

  const endIdle = (): void => {
    for (const [socket, answer] of connections) if (answer === undefined) socket.destroy()
  }

  const address = server.address() as AddressInfo
  return {
    url: urlOf(address, host),
    port: address.port,
    close: async (time) => {
      isClosing = true
      const closed = once(server, 'close')
      // As a plain socket server: that of HTTP would cut off kept connections at once.
      NetServer.prototype.close.call(server)
      for (const answer of connections.values()) if (answer?.headersSent === false) answer.setHeader('Connection', 'close')
      if (!(await within(Math.min(MOMENT, time), closed))) {
        endIdle()
        if (!(await within(Math.max(0, time - MOMENT), closed))) server.closeAllConnections()
      }
      await closed
      // Ends the timers too.
      server.close()
    },
  }
}
