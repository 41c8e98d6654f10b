import { Pool } from 'undici'

export interface Sent {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly token?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** Sends one request and reads its whole answer. @throws where the answer is none of success */
export type Send = (request: Sent) => Promise<unknown>

/** Kept connections to a server; each carries one request at a time. */
export const connectTo = (url: string, connections: number): Send => {
  const pool = new Pool(url, { connections, pipelining: 1 })
  return async ({ method, path, token, headers = {}, body }) => {
    const answer = await pool.request({
      method,
      path,
      headers: {
        ...headers,
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    })
    const text = await answer.body.text()
    if (answer.statusCode >= 300) throw new Error(`${method} ${path} was answered with ${answer.statusCode}: ${text}`)
    return JSON.parse(text) as unknown
  }
}
