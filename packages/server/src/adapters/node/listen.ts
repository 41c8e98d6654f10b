import { once } from 'node:events'
import { createServer, type ServerResponse, STATUS_CODES } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { failureReason } from '../../failure-reason.ts'
import { rawErrorBody } from '../../http/error-responses.ts'
import { securityHeaders } from '../../http/http-response.ts'
import { within } from '../../shared/deadline.ts'
import { StartupError } from '../../startup-error.ts'
import { closeListener } from './close-listener.ts'
import type { NodeHandler } from './handler.ts'

/** Errors of Node's parser and timers before a request exists, by code. Any other code means a malformed request. */
const statusOfCode: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
}

const statusOfConnectionError = (code: string | undefined): number => statusOfCode[code ?? ''] ?? 400

/** A refusal as bytes of HTTP, for connections on which no request could be read. The connection ends with it. */
const rawRefusal = (status: number): string => {
  const message = STATUS_CODES[status] ?? ''
  const body = JSON.stringify(rawErrorBody(status, message))
  const headers = {
    ...securityHeaders,
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${message}\r\n${lines.join('')}\r\n${body}`
}

/** The address of a server and its time limits. Every time limit has a default. */
export interface ListenOptions {
  readonly host: string
  /** 0: any free port. */
  readonly port: number
  /** Milliseconds for all of a request's headers to arrive. */
  readonly headersTimeout?: number
  /** Milliseconds for all of a request to arrive. */
  readonly requestTimeout?: number
  /** Milliseconds without any traffic on a connection while a request or a response is under way. */
  readonly idleTimeout?: number
  /** Milliseconds that a connection may wait for its next request. Load balancers usually close after a minute, which is sooner. */
  readonly keepAliveTimeout?: number
}

export interface Listening {
  readonly url: string
  readonly port: number
  /** Asks clients to leave: each response closes its connection. New connections and requests are still accepted. */
  drain(): void
  /** Accepts no new connection, lets requests finish, and closes all others after `time` milliseconds. */
  close(time: number): Promise<void>
}

/** Milliseconds that idle connections stay open at closing: a request on its way to the server is still answered. */
const MOMENT = 500
const CHECK_EVERY = 1000
const MOST_HEADER_BYTES = 16 * 1024

const urlOf = ({ address, port }: AddressInfo, host: string): string => {
  const isAny = address === '::' || address === '0.0.0.0'
  const name = isAny ? 'localhost' : host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}

/** Serves a handler over HTTP/1.1, and bounds everything that a slow or hostile client could prolong. @throws StartupError */
export const listen = async (handle: NodeHandler, options: ListenOptions): Promise<Listening> => {
  const {
    host,
    port,
    headersTimeout = 10_000,
    requestTimeout = 30_000,
    idleTimeout = 30_000,
    keepAliveTimeout = 65_000,
  } = options
  /** The open connections, each with the response that is under way on it. */
  const connections = new Map<Duplex, ServerResponse | undefined>()
  let isDraining = false

  const server = createServer(
    {
      headersTimeout,
      requestTimeout,
      keepAliveTimeout,
      connectionsCheckingInterval: Math.min(CHECK_EVERY, headersTimeout),
      maxHeaderSize: MOST_HEADER_BYTES,
      // The handler refuses a missing Host itself, with the headers that every response has.
      requireHostHeader: false,
      // A request without a body needs no stream events.
      optimizeEmptyRequests: true,
    },
    (incoming, outgoing) => {
      connections.set(incoming.socket, outgoing)
      outgoing.once('close', () => {
        if (connections.get(incoming.socket) === outgoing) connections.set(incoming.socket, undefined)
      })
      if (isDraining) outgoing.setHeader('Connection', 'close')
      handle(incoming, outgoing)
    },
  )
  server.timeout = idleTimeout
  // A client that has closed its side of the connection may still wait for a response.
  Object.assign(server, { httpAllowHalfOpen: true })
  server.on('connection', (socket: Socket) => {
    connections.set(socket, undefined)
    socket.once('close', () => connections.delete(socket))
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const answer = connections.get(socket)
    const refuse = (): void => {
      if (!socket.writable) socket.destroy()
      else socket.end(rawRefusal(statusOfConnectionError(error.code)), () => socket.destroy())
    }
    if (error.code === 'ECONNRESET') socket.destroy()
    // The error came after a whole request. A refusal sent first would look like the response to that request.
    else if (answer?.req.complete === true) answer.once('close', refuse)
    else if (answer?.headersSent === true) socket.destroy()
    else refuse()
  })
  // An `Expect` header other than 100-continue (RFC 9110 §10.1.1). Node itself answers 100-continue.
  server.on('checkExpectation', (_incoming, outgoing) => {
    outgoing.shouldKeepAlive = false
    outgoing.socket?.end(rawRefusal(417))
  })

  try {
    server.listen(port, host)
    await once(server, 'listening')
  } catch (cause) {
    throw new StartupError([`${host}:${port} cannot be listened on: ${failureReason(cause)}`], { cause })
  }

  const endIdle = (): void => {
    for (const [socket, answer] of connections) if (answer === undefined) socket.destroy()
  }

  const address = server.address() as AddressInfo
  let listenerClosed: Promise<void> | undefined
  let isClosed = false
  server.once('close', () => {
    isClosed = true
  })
  return {
    url: urlOf(address, host),
    port: address.port,
    drain: () => {
      isDraining = true
    },
    close: async (time) => {
      if (isClosed) return
      isDraining = true
      const closed = once(server, 'close')
      listenerClosed ??= closeListener(server)
      await listenerClosed
      for (const answer of connections.values()) if (answer?.headersSent === false) answer.setHeader('Connection', 'close')
      if (!(await within(Math.min(MOMENT, time), closed))) {
        endIdle()
        if (!(await within(Math.max(0, time - MOMENT), closed))) server.closeAllConnections()
      }
      await closed
      // Stops the timers of the HTTP server.
      server.close()
    },
  }
}
