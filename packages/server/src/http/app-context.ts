import type { OperationName } from '@countersign/contract'
import type { CountersignIdentity, Logger, UnavailableReason } from '@countersign/core'
import type { Tracing } from '../tracing/tracing.ts'
import type { Cors } from './cors.ts'
import type { RouteName } from './router.ts'

/** A request whose response is known, without anything that the client chose. */
export interface AnsweredRequest {
  readonly operation: RouteName
  readonly status: number
  readonly milliseconds: number
  readonly code: string | undefined
  /** The cause of a refusal with 503. */
  readonly reason: UnavailableReason | undefined
}

/** The parts of a `Countersign` that the pipeline itself uses: authentication and rate limits. */
export type PipelineCountersign = Pick<CountersignIdentity, 'auth' | 'rateLimits'>

/** The settings and ports of one app. */
export interface AppContext {
  readonly countersign: PipelineCountersign
  readonly logger: Logger
  /** True if the app logs each request. Failures of the server are logged in any case. */
  readonly logRequests: boolean
  /** True if log lines name the address of the client. */
  readonly logAddresses: boolean
  /** The number of proxies in front of this server. Only their `X-Forwarded-For` is believed. */
  readonly trustProxy: number
  /** Logs one warning if a request was forwarded and no proxy is configured. */
  readonly noteForwarding: (headers: Pick<Headers, 'has'>) => void
  /** The CORS rule; `undefined` if no page of another origin may call. */
  readonly cors: Cors | undefined
  /** Is called with each request, when its response is known; for metrics. */
  readonly onRequest: ((request: AnsweredRequest) => void) | undefined
  readonly tracing: Pick<Tracing, 'request'> | undefined
  /** Checks each output before it is sent. Tests compare outputs with the contract in this way. A thrown error becomes a 500. */
  readonly checkOutput: ((operation: OperationName, output: unknown) => void) | undefined
}
