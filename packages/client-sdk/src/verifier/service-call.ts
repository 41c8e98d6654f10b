import type { Input, Output } from '@countersign/contract'
import { approvalOperations, identityOperations } from '@countersign/contract/operations'
import { currentFetch, type Init, send, toBaseUrl } from '../http/send.ts'
import { type OperationRow, toRequest } from '../http/to-request.ts'
import { CountersignError, hasCode } from '../shared/errors/countersign-error.ts'
import { within } from '../shared/time/deadline.ts'
import type { Milliseconds } from '../shared/time/units.ts'

/** The options of calls with a service token. */
export interface ServiceOptions {
  /** The URL of Countersign, with or without a path: `http://auth.internal:4000`. Without user, query and fragment. */
  readonly baseUrl: string
  /** The name of the calling service, which the token has too. Case does not matter. */
  readonly serviceName: string
  /** The service token, or a function that returns the current one, so that a token can be replaced without a restart. */
  readonly token: string | (() => string | Promise<string>)
  /** The time limit of a request; 10 000 by default. The time of a wait is added. */
  readonly timeout?: Milliseconds
  /** Sends a request; the platform's `fetch` by default. */
  readonly fetch?: typeof globalThis.fetch
}

const operations = { ...identityOperations, ...approvalOperations }

type Operations = typeof operations
type ServiceOperation = {
  [N in keyof Operations]: Operations[N]['authentication'] extends 'service' ? N : never
}[keyof Operations]

interface ServiceCallOptions {
  /** The time that the service itself may wait. */
  readonly wait?: Milliseconds
  readonly signal?: AbortSignal | undefined
}

/** Calls an operation with the service token. Resolves with the output, without the envelope. @throws CountersignError */
export type ServiceCall = <N extends ServiceOperation>(
  name: N,
  input: Input<N>,
  options?: ServiceCallOptions,
) => Promise<Output<N>>

/** Creates the function by which a service calls. Calls with an `idempotencyKey` are repeated as a GET. @throws CountersignError */
export const serviceCall = (options: ServiceOptions): ServiceCall => {
  const { serviceName, token, timeout = 10_000, fetch = currentFetch } = options
  const sender = {
    baseUrl: toBaseUrl(options.baseUrl),
    fetch: async (url: string, init: Init) => {
      const authorization = `Bearer ${typeof token === 'function' ? await token() : token}`
      return fetch(url, {
        ...init,
        headers: { ...init.headers, authorization, 'X-Service-Name': serviceName },
        cache: 'no-store',
      })
    },
    retries: 2,
    longestWait: 10_000,
  }

  return async (name, input, { wait = 0, signal } = {}) => {
    const row: OperationRow = operations[name]
    const layout = toRequest(row, input)
    const isRepeatable = row.method === 'GET' || ('idempotencyKey' in input && Boolean(input.idempotencyKey))
    const output = within(timeout + wait, signal, (stop) => send(sender, name, layout, undefined, stop, isRepeatable))
    return output.catch((error: unknown) => {
      // A service has no session: its token is wrong, or was revoked.
      if (hasCode(error, 'SESSION_ENDED')) {
        const { message, serviceCode, status, requestId, body } = error
        throw new CountersignError(message, { code: 'UNAUTHORIZED', serviceCode, status, requestId, body })
      }
      // The cause may contain addresses, and the request contains the token, so the error has neither.
      throw hasCode(error, 'NETWORK_ERROR') ? new CountersignError(error.message, { code: error.code }) : error
    }) as Promise<Output<typeof name>>
  }
}
