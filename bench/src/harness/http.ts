import { connect, type Socket } from 'node:net'

export interface Sent {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly token?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/**
 * Sends one request and reads the whole response.
 *
 * @throws if the response is an error
 */
export type Send = (request: Sent) => Promise<unknown>

interface Answer {
  readonly status: number
  readonly text: string
}

const END_OF_HEAD = '\r\n\r\n'

/**
 * Returns the response in the bytes; `undefined` until it is complete.
 *
 * @throws if the response has no length
 */
const readAnswer = (bytes: Buffer): Answer | undefined => {
  const headBytes = bytes.indexOf(END_OF_HEAD)
  if (headBytes === -1) return undefined
  const head = bytes.toString('latin1', 0, headBytes)
  const [, status] = /^HTTP\/1\.1 (\d{3}) /.exec(head) ?? []
  const [, length] = /\r\ncontent-length: (\d+)(?:\r|$)/i.exec(head) ?? []
  if (status === undefined || length === undefined) throw new Error(`an answer that cannot be read: ${head}`)
  const end = headBytes + END_OF_HEAD.length + Number(length)
  if (bytes.length > end) throw new Error('more came than was asked for')
  return bytes.length < end ? undefined : { status: Number(status), text: bytes.toString('utf8', headBytes + END_OF_HEAD.length) }
}

/** Sends requests on one connection, one after another. */
const talkOn = (socket: Socket) => {
  const nothing = Buffer.alloc(0)
  let received: Buffer = nothing
  let waiting: PromiseWithResolvers<Answer> | undefined
  socket.setNoDelay(true)
  socket.on('data', (chunk) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
    try {
      const answer = readAnswer(received)
      if (answer === undefined) return
      received = nothing
      waiting?.resolve(answer)
    } catch (error) {
      waiting?.reject(error)
      socket.destroy()
    }
  })
  socket.on('error', (error) => waiting?.reject(error))
  socket.on('close', () => waiting?.reject(new Error('the server ended the connection')))
  return (request: string): Promise<Answer> => {
    waiting = Promise.withResolvers<Answer>()
    if (socket.destroyed) waiting.reject(new Error('the connection has ended'))
    else socket.write(request)
    return waiting.promise
  }
}

const toText = ({ method, path, token, headers = {}, body }: Sent, host: string): string => {
  const content = body === undefined ? '' : JSON.stringify(body)
  const all = {
    host,
    ...headers,
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(body === undefined ? {} : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(content)) }),
  }
  let lines = ''
  for (const [name, value] of Object.entries(all)) lines += `${name}: ${value}\r\n`
  return `${method} ${path} HTTP/1.1\r\n${lines}\r\n${content}`
}

/**
 * Opens persistent connections to a server; each carries one request at a time. It uses plain sockets, because an HTTP client
 * needs as much processor time as the measured server.
 */
export const connectTo = (url: string, connections: number): Send => {
  const { hostname, port, host } = new URL(url)
  const free: ReturnType<typeof talkOn>[] = []
  let opened = 0
  // A connection is opened at its first use: servers close connections without a request.
  const open = () => {
    if (opened === connections) return undefined
    opened += 1
    return talkOn(connect(Number(port), hostname))
  }
  return async (request) => {
    const talk = free.pop() ?? open()
    if (talk === undefined) throw new Error(`more than ${connections} requests at once`)
    const { status, text } = await talk(toText(request, host))
    free.push(talk)
    if (status >= 300) throw new Error(`${request.method} ${request.path} was answered with ${status}: ${text}`)
    return JSON.parse(text) as unknown
  }
}
