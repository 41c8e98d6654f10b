import type { OperationName } from '@countersign/contract'
import { operations } from '@countersign/contract/operations'
import { CountersignError } from '../shared/errors/countersign-error.ts'
import { toRefusal } from '../shared/errors/refusal.ts'
import { requireOpen } from '../shared/time/deadline.ts'
import { isExpected } from './expected-output.ts'
import type { OperationRow } from './operation-row.ts'
import { headerValue, type RequestLayout } from './to-request.ts'

export type Fetch = (request: Request) => Response | Promise<Response>

/** One request of an operation. */
export interface Message {
  readonly name: OperationName
  readonly layout: RequestLayout
  /** The bearer token; `undefined` for a request without a token. */
  readonly token: string | undefined
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const unexpected = (status: number, body: unknown) =>
  new CountersignError('The server does not answer as Countersign does', { code: 'UNEXPECTED_ANSWER', status, body })

/** Returns the output without its envelope. @throws CountersignError `UNEXPECTED_ANSWER` */
const outputOf = (name: OperationName, { status }: Response, body: unknown): unknown => {
  // The only response without a body.
  if (status === 204 && name === 'projects.remove') return undefined
  if (typeof body !== 'object' || body === null) throw unexpected(status, body)
  const { envelope }: OperationRow = operations[name]
  const output = envelope === 'bare' ? body : (body as { readonly data?: unknown }).data
  if (!isExpected(name, output)) throw unexpected(status, body)
  return output
}

/**
 * Returns why a request got no response. A browser does not say whether its CORS check failed, so a page of another origin asks
 * once more without CORS: if that request gets a response, the service is there, and does not permit the origin.
 */
const reasonOf = async (baseUrl: string, fetch: Fetch, signal: AbortSignal): Promise<string> => {
  const { origin } = globalThis.location ?? {}
  try {
    if (origin && !`${baseUrl}/`.startsWith(`${origin}/`)) {
      await fetch(new Request(`${baseUrl}/health/live`, { mode: 'no-cors', signal }))
      return `The service does not permit calls from ${origin} (CORS)`
    }
  } catch {
    // The service gives no response at all.
  }
  return 'The service could not be reached'
}

/**
 * Sends one request and reads the response. The client follows no redirect, because a body may hold a password for this server
 * only.
 *
 * @throws CountersignError an error response; `VALIDATION_ERROR` if no header can carry the token; `NETWORK_ERROR` without a
 * response
 */
export const transfer = async (
  { baseUrl, fetch }: { readonly baseUrl: string; readonly fetch: Fetch },
  { name, layout, token }: Message,
  signal: AbortSignal,
): Promise<unknown> => {
  const { path, body } = layout
  const headers =
    token === undefined ? layout.headers : { ...layout.headers, authorization: `Bearer ${headerValue('token', token)}` }
  // The caller's fetch may ignore the signal.
  requireOpen(signal)
  let response: Response
  let text: string
  try {
    const request = new Request(baseUrl + path, {
      method: operations[name].method,
      headers,
      redirect: 'manual',
      signal,
      ...(body === undefined ? {} : { body }),
    })
    response = await fetch(request)
    text = await response.text()
  } catch (cause) {
    throw new CountersignError(await reasonOf(baseUrl, fetch, signal), { code: 'NETWORK_ERROR', cause })
  }
  const answer = parse(text)
  if (!response.ok) throw toRefusal(response, answer)
  return outputOf(name, response, answer)
}
