import { currentFetch, toBaseUrl } from '../http/base-url.ts'
import { retrying } from '../http/retry.ts'
import { CountersignError } from '../shared/errors/countersign-error.ts'
import { toRefusal } from '../shared/errors/refusal.ts'
import { within } from '../shared/time/deadline.ts'

/** The options of calls with a service token. */
export interface ServiceOptions {
  /** The URL of Countersign, with or without a path: `http://auth.internal:4000`. Without user, query and fragment. */
  readonly baseUrl: string
  /** The name of the calling service, which the token has too. Case does not matter. */
  readonly serviceName: string
  /** The service token, or a function that returns the current one, so that a token can be replaced without a restart. */
  readonly token: string | (() => string | Promise<string>)
  /** The time limit of a request in milliseconds; 10 000 by default. The time of a wait comes on top. */
  readonly timeout?: number
  /** Sends a request; the platform's `fetch` by default. */
  readonly fetch?: typeof globalThis.fetch
}

/** One request of a service. */
export interface ServiceRequest {
  readonly method: 'GET' | 'POST'
  readonly path: `/internal/${string}`
  /** The JSON body. */
  readonly body?: unknown
  /** Whether a repeated request has no further effect. Such a request is repeated twice after a lost answer. */
  readonly isRepeatable?: boolean
  /** Milliseconds that the service itself may wait. */
  readonly wait?: number
  readonly signal?: AbortSignal | undefined
}

/** Sends a request with the service token. Resolves with the output, without the envelope. @throws CountersignError */
export type ServiceCall = <T>(request: ServiceRequest) => Promise<T>

const RETRIES = 2
/** Milliseconds. If Countersign asks for a longer pause, the call fails at once, with `retryAfter`. */
const LONGEST_PAUSE = 10_000

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const dataOf = (status: number, answer: unknown): unknown => {
  const { data } = Object(answer) as { readonly data?: unknown }
  if (typeof data === 'object' && data !== null) return data
  throw new CountersignError('The server does not answer as Countersign does', {
    code: 'UNEXPECTED_ANSWER',
    status,
    body: answer,
  })
}

/**
 * Creates the function by which a service calls the operations of Countersign that need a service token.
 *
 * @throws CountersignError `VALIDATION_ERROR` for a wrong `baseUrl`
 */
export const serviceCall = (options: ServiceOptions): ServiceCall => {
  const { serviceName, token, timeout = 10_000, fetch = currentFetch } = options
  const baseUrl = toBaseUrl(options.baseUrl)

  const receive = async ({ method, path, body }: ServiceRequest, signal: AbortSignal) => {
    const presented = typeof token === 'function' ? await token() : token
    const response = await fetch(baseUrl + path, {
      method,
      headers: {
        authorization: `Bearer ${presented}`,
        'x-service-name': serviceName,
        accept: 'application/json',
        'countersign-extended': '1',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      // The token is for this server only.
      redirect: 'manual',
      cache: 'no-store',
      signal,
    })
    return { response, answer: parse(await response.text()) }
  }

  const send = async (request: ServiceRequest, signal: AbortSignal): Promise<unknown> => {
    // The cause may contain addresses, and the request contains the token, so the error has neither.
    const received = await receive(request, signal).catch(() => undefined)
    if (received === undefined) throw new CountersignError('Countersign could not be reached', { code: 'NETWORK_ERROR' })
    const { response, answer } = received
    if (!response.ok) throw toRefusal(response, answer)
    return dataOf(response.status, answer)
  }

  return <T>(request: ServiceRequest): Promise<T> => {
    const { method, isRepeatable = method === 'GET', wait = 0, signal } = request
    return within(timeout + wait, signal, async (stop) => {
      const retries = isRepeatable ? RETRIES : 0
      return (await retrying({ retries, longestWait: LONGEST_PAUSE }, stop, () => send(request, stop))) as T
    })
  }
}
