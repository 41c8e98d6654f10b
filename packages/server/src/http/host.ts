import type { OperationName } from '@countersign/contract'
import type { Countersign, Logger } from '@countersign/core'
import type { Cors } from './cors.ts'

/** What the app stands on. */
export interface Host {
  readonly countersign: Countersign
  /** Told by `/health`. */
  readonly version: string
  readonly logger: Logger
  /** Whether each request is logged as it is answered. Failures of the server are logged in any case. */
  readonly logRequests: boolean
  /** How many proxies stand before this server; their `X-Forwarded-For` is believed, and nobody else's. */
  readonly trustProxy: number
  /** Warns once where a request says that it was forwarded and no proxy is configured. */
  readonly noteForwarding: (headers: Pick<Headers, 'has'>) => void
  /** The address at the other end of the connection, where the platform tells. */
  readonly socketAddress: (request: Request, env: unknown) => string | undefined
  /** What browsers are told of pages of other origins; `undefined` where none of them may call. */
  readonly cors: Cors | undefined
  /** Looks at each output before it is sent: tests hold it to the contract. What it throws becomes a 500. */
  readonly checkOutput: ((operation: OperationName, output: unknown) => void) | undefined
}
