import type { ProjectErrorCode } from '@countersign/contract'

/**
 * What went wrong, for programs. In capital letters as in the error bodies of the project service; where the
 * authentication service refuses, the code is the one that belongs to the status.
 *
 * Without an answer of the service:
 * - `NETWORK_ERROR`: there was none. Whether the request took effect is not known.
 * - `TIMEOUT`: none came in time.
 * - `UNEXPECTED_ANSWER`: something answered, but not as Countersign does: a proxy, a redirect, another server. Whatever its
 *   status, it is no word of the service.
 * - `CHALLENGE_MISMATCH`: a confirmation's challenge is not the one of what it shows. Nothing was signed.
 * - `NO_DEVICE_SESSION`: approving takes a session of the device.
 * - `PASSKEY_FAILED`: the browser made or gave no passkey; `cause` is its own error.
 * - `UNSUPPORTED`: the platform lacks what it takes.
 */
export type ErrorCode =
  | ProjectErrorCode
  | 'NETWORK_ERROR'
  | 'TIMEOUT'
  | 'UNEXPECTED_ANSWER'
  | 'CHALLENGE_MISMATCH'
  | 'NO_DEVICE_SESSION'
  | 'PASSKEY_FAILED'
  | 'UNSUPPORTED'

/** What is known of an error beside its message. */
export interface ErrorFacts {
  readonly code: ErrorCode
  readonly status?: number
  readonly details?: Readonly<Record<string, string>>
  readonly retryAfter?: number | undefined
  readonly requestId?: string | undefined
  readonly body?: unknown
  readonly cause?: unknown
}

/** Everything that a client rejects with, except what the caller's own `AbortSignal` gives as its reason. */
export class CountersignError extends Error {
  override readonly name = 'CountersignError'
  /** What programs decide on. */
  readonly code: ErrorCode
  /** The HTTP status of the answer; `undefined` where there was none. */
  readonly status: number | undefined
  /** Each field that was refused, and what it takes; empty where no field is to blame. */
  readonly details: Readonly<Record<string, string>>
  /** Seconds after which to try again, where the service says so. */
  readonly retryAfter: number | undefined
  /** Under which the service has logged the request. */
  readonly requestId: string | undefined
  /** The answer's body, parsed where it is JSON. */
  readonly body: unknown

  constructor(message: string, { code, status, details = {}, retryAfter, requestId, body, cause }: ErrorFacts) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.status = status
    this.details = details
    this.retryAfter = retryAfter
    this.requestId = requestId
    this.body = body
  }
}

/** Whether something that was thrown is a `CountersignError` of one of these codes. */
export const hasCode = (error: unknown, ...codes: readonly ErrorCode[]): error is CountersignError =>
  error instanceof CountersignError && codes.includes(error.code)
