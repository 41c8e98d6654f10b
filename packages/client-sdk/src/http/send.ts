import type { OperationName } from '@countersign/contract'
import { CountersignError, refusedInput } from '../shared/errors/countersign-error.ts'
import { isPassingStatus, toRefusal } from '../shared/errors/refusal.ts'
import { pause, requireOpen } from '../shared/time/deadline.ts'
import type { Milliseconds } from '../shared/time/units.ts'
import { isExpected } from './expected-output.ts'
import { headerValue, type OperationRow, type RequestLayout } from './to-request.ts'

export type Fetch = (request: Request) => Response | Promise<Response>

export type Init = Omit<RequestInit, 'headers'> & { readonly headers?: Readonly<Record<string, string>> }

export interface Route {
  readonly baseUrl: string
  readonly fetch: (url: string, init: Init) => Response | Promise<Response>
}

/** The way to a service, and how requests are repeated. */
export interface Sender extends Route {
  /** The number of repetitions of a request that may be repeated. */
  readonly retries: number
  /** The longest wait before a repetition. If the service asks for a longer wait, the call fails immediately, with `retryAfter`. */
  readonly longestWait: Milliseconds
}

/** A pattern, because some runtimes of React Native lack a complete `URL`. The base of paths has no query and no fragment. */
const BASE_URL = /^https?:\/\/[^?#@\s]+$/i

/** Returns the base of every URL, without a slash at its end. @throws CountersignError `VALIDATION_ERROR` */
export const toBaseUrl = (given: string): string => {
  const url = String(given).trim().replace(/\/+$/, '')
  if (BASE_URL.test(url)) return url
  throw refusedInput('baseUrl', 'must be a plain http or https URL')
}

/** The `fetch` of the platform at the moment of a call, so that a replacement by a tracing library counts. */
export const currentFetch: typeof globalThis.fetch = (request, init) => fetch(request, init)

/** Reads a body: JSON, or another text. */
const bodyOf = async (response: Response): Promise<unknown> => {
  const text = await response.text()
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/**
 * Returns why a request got no response. A browser does not say that its CORS check failed, so a page of another origin asks once
 * more without CORS: a response then means that the service does not permit the origin.
 */
const reasonOf = async ({ baseUrl, fetch }: Route, signal: AbortSignal): Promise<string> => {
  const { origin } = globalThis.location ?? {}
  try {
    if (origin && !`${baseUrl}/`.startsWith(`${origin}/`)) {
      await fetch(`${baseUrl}/health/live`, { mode: 'no-cors', signal })
      return `The service does not permit calls from ${origin} (CORS)`
    }
  } catch {
    // The service gives no response at all.
  }
  return 'The service could not be reached'
}

/**
 * Sends one request, and reads the response of a success. Follows no redirect, because a body may contain a password for this
 * server.
 * @throws CountersignError an error response; `VALIDATION_ERROR` if no header can carry the token; `NETWORK_ERROR` without a
 * response
 */
export const transfer = async (
  route: Route,
  { row: { method }, path, headers: given, body }: RequestLayout,
  token: string | undefined,
  signal: AbortSignal,
  read: (response: Response) => Promise<unknown> = bodyOf,
): Promise<readonly [status: number, body: unknown]> => {
  const headers = token === undefined ? given : { ...given, authorization: `Bearer ${headerValue('token', token)}` }
  // The caller's fetch may ignore the signal.
  requireOpen(signal)
  let response: Response
  let content: unknown
  try {
    const init = { method, headers, redirect: 'manual', signal, body: body ?? null } as const
    response = await route.fetch(route.baseUrl + path, init)
    content = await (response.ok ? read : bodyOf)(response)
  } catch (cause) {
    throw new CountersignError(await reasonOf(route, signal), { code: 'NETWORK_ERROR', cause })
  }
  if (!response.ok) throw toRefusal(response, content)
  return [response.status, content]
}

/** Returns the output without its envelope. @throws CountersignError `UNEXPECTED_ANSWER` */
const outputOf = (name: OperationName, { envelope }: OperationRow, status: number, body: unknown): unknown => {
  // The only response without a body.
  if (status === 204 && name === 'projects.remove') return undefined
  const output = envelope === 'bare' ? body : (Object(body) as { readonly data?: unknown }).data
  if (isExpected(name, output)) return output
  throw new CountersignError('The server does not answer as Countersign does', { code: 'UNEXPECTED_ANSWER', status, body })
}

/** Returns whether the error may pass: no response, too many requests, or the service is unavailable. */
export const isPassing = (error: unknown): error is CountersignError =>
  error instanceof CountersignError && (error.code === 'NETWORK_ERROR' || isPassingStatus(error.status))

/** The first wait, doubled for each further repetition. Up to half is random, so that clients do not return together. */
const FIRST_WAIT: Milliseconds = 400

/** Returns the wait before the next attempt: the wait that the service asks for, else a growing one. */
const waitAfter = ({ retryAfter }: CountersignError, attempt: number): Milliseconds =>
  retryAfter === undefined ? FIRST_WAIT * 2 ** attempt * (1 - Math.random() / 2) : retryAfter * 1000

/**
 * Sends the request of an operation, and repeats it after errors that may pass if that has no further effect. @throws
 * CountersignError the errors of the last `transfer`; `UNEXPECTED_ANSWER` for the response of another server
 */
export const send = async (
  sender: Sender,
  name: OperationName,
  layout: RequestLayout,
  token: string | undefined,
  signal: AbortSignal,
  isRepeatable = layout.row.method === 'GET',
): Promise<unknown> => {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return outputOf(name, layout.row, ...(await transfer(sender, layout, token, signal)))
    } catch (error) {
      const mayPass = isRepeatable && !signal.aborted && attempt < sender.retries && isPassing(error)
      const wait = mayPass ? waitAfter(error, attempt) : Number.NaN
      // Written as a negation, so that NaN causes no repetition.
      if (!(wait <= sender.longestWait)) throw error
      await pause(wait, signal)
    }
  }
}
