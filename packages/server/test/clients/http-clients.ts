import { execFile, execFileSync } from 'node:child_process'
import { promisify } from 'node:util'
import axios from 'axios'
import { request } from 'undici'
import { openConnection } from '../../src/testing/raw-connection.ts'

/** A request, independent of the client. */
export interface Meant {
  readonly method: string
  readonly path: string
  readonly token?: string | undefined
  /** `null`: the client sends none. */
  readonly type?: string | null
  readonly body?: string
  /** Additional headers. */
  readonly headers?: Readonly<Record<string, string>>
}

export interface Answer {
  readonly status: number
  readonly body: unknown
}

/** Sends a request with one client. */
export type Send = (origin: string, meant: Meant) => Promise<Answer>

const parse = (text: string): unknown => (text === '' ? undefined : JSON.parse(text))

const headersOf = ({ token, type, headers }: Meant): Record<string, string> => ({
  ...headers,
  ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
  ...(typeof type === 'string' ? { 'Content-Type': type } : {}),
})

/** Sends raw bytes on a connection. */
const raw: Send = async (origin, meant) => {
  const { method, path, body } = meant
  const headers = Object.entries({
    Host: new URL(origin).host,
    Connection: 'close',
    ...headersOf(meant),
    ...(body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }),
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  const connection = await openConnection(origin)
  connection.write(`${method} ${path} HTTP/1.1\r\n${headers.join('')}\r\n${body ?? ''}`)
  const received = await connection.closed()
  const end = received.indexOf('\r\n\r\n')
  return { status: Number(received.slice(9, 12)), body: parse(received.slice(end + 4)) }
}

/** axios removes a header whose value is `false`. */
const withAxios: Send = async (origin, meant) => {
  const { method, path, body, type } = meant
  const { status, data } = await axios.request<string>({
    baseURL: origin,
    url: path,
    method,
    data: body,
    headers: { ...headersOf(meant), ...(type === null ? { 'Content-Type': false } : {}) },
    // Sends the text unchanged, because axios would serialize text again if the type is JSON.
    transformRequest: (text: unknown) => text,
    responseType: 'text',
    transformResponse: (text: string) => text,
    validateStatus: () => true,
    proxy: false,
  })
  return { status, body: parse(data) }
}

const withUndici: Send = async (origin, meant) => {
  const { method, path, body } = meant
  const answer = await request(`${origin}${path}`, { method: method as 'GET', headers: headersOf(meant), body: body ?? null })
  return { status: answer.statusCode, body: parse(await answer.body.text()) }
}

const run = promisify(execFile)

/** curl removes a header without a value. */
const withCurl: Send = async (origin, meant) => {
  const { method, path, body, type } = meant
  const headers = Object.entries(headersOf(meant)).map(([name, value]) => `${name}: ${value}`)
  const { stdout } = await run('curl', [
    ...['--silent', '--globoff', '--noproxy', '*', '--request', method, '--write-out', '\n%{http_code}'],
    ...[...headers, ...(type === null ? ['Content-Type:'] : [])].flatMap((header) => ['--header', header]),
    ...(body === undefined ? [] : ['--data-raw', body]),
    `${origin}${path}`,
  ])
  const end = stdout.lastIndexOf('\n')
  return { status: Number(stdout.slice(end + 1)), body: parse(stdout.slice(0, end)) }
}

const hasCurl = (): boolean => {
  try {
    execFileSync('curl', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** The available clients. curl is included if it is installed. */
export const httpClients: readonly (readonly [name: string, send: Send])[] = [
  ['raw HTTP', raw],
  ['axios', withAxios],
  ['undici', withUndici],
  ...(hasCurl() ? [['curl', withCurl] as const] : []),
]
