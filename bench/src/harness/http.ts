import { connect } from 'node:net'

export interface Sent {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly token?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON. */
  readonly body?: unknown
  /** Sent as a form, instead of a body. */
  readonly form?: Readonly<Record<string, string>>
}

interface Answer {
  readonly status: number
  readonly text: string
}

const END_OF_HEAD = '\r\n\r\n'

/** Returns the response in the bytes; `undefined` until it is complete. @throws if the response has no length */
const readAnswer = (bytes: Buffer): Answer | undefined => {
  const headBytes = bytes.indexOf(END_OF_HEAD)
  if (headBytes === -1) return undefined
  const head = bytes.toString('latin1', 0, headBytes)
  const [, status] = /^HTTP\/1\.1 (\d{3}) /.exec(head) ?? []
  const [, length] = /\r\ncontent-length: (\d+)(?:\r|$)/i.exec(head) ?? []
  if (status === undefined || length === undefined) throw new Error(`an answer that cannot be read: ${head}`)
  const begin = headBytes + END_OF_HEAD.length
  if (bytes.length > begin + Number(length)) throw new Error('more came than was asked for')
  return bytes.length < begin + Number(length) ? undefined : { status: Number(status), text: bytes.toString('utf8', begin) }
}

/** Opens a connection that sends one request after another. It fails with its error, or when the server ends it. */
const talkTo = ({ port, hostname }: URL) => {
  const socket = connect(Number(port), hostname).setNoDelay(true)
  let received: Buffer = Buffer.alloc(0)
  let waiting = Promise.withResolvers<Answer>()
  socket.on('data', (chunk) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
    try {
      const answer = readAnswer(received)
      if (answer === undefined) return
      received = Buffer.alloc(0)
      waiting.resolve(answer)
    } catch (error) {
      socket.destroy(error as Error)
    }
  })
  socket.on('error', (error) => waiting.reject(error))
  socket.on('close', () => waiting.reject(new Error('the server ended the connection')))
  const ask = (request: string): Promise<Answer> => {
    waiting = Promise.withResolvers<Answer>()
    socket.write(request)
    return waiting.promise
  }
  return { ask, hasEnded: () => socket.destroyed || socket.readableEnded }
}

export const toText = (url: string, { method, path, token, headers, body, form }: Sent): string => {
  const content = form !== undefined ? String(new URLSearchParams(form)) : body === undefined ? '' : JSON.stringify(body)
  const type = form === undefined ? 'application/json' : 'application/x-www-form-urlencoded'
  const all = {
    host: new URL(url).host,
    ...headers,
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(content !== '' && { 'content-type': type, 'content-length': String(Buffer.byteLength(content)) }),
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${content}`
}

/**
 * Opens persistent connections, as plain sockets: an HTTP client needs as much processor time as the measured server. The function
 * sends a request. It rejects for an error of a status that `mayBe` does not name.
 */
export const connectTo = (url: string, mayBe?: number): ((request: string) => Promise<string>) => {
  const free: ReturnType<typeof talkTo>[] = []
  return async (request) => {
    // A connection is opened at its first use, and again after the server has ended it, as servers do when it was idle for long.
    let talk = free.pop()
    while (talk?.hasEnded()) talk = free.pop()
    talk ??= talkTo(new URL(url))
    const { status, text } = await talk.ask(request)
    free.push(talk)
    if (status >= 300 && status !== mayBe) throw new Error(`${request.split(' HTTP', 1)[0]} was answered with ${status}: ${text}`)
    return text
  }
}
