import type { ActionTypeName, AuthenticationErrorCode, ClientErrorCode, PayloadOf, ProjectErrorCode } from '@countersign/contract'
import type { Seconds } from '../time/units.ts'

/**
 * The kind of an error. Each status of the service has one code, except 401: `SESSION_ENDED`, `WRONG_PASSWORD` or `UNAUTHORIZED`.
 * `docs/errors.md` says when each code happens and what to do.
 */
export type ErrorCode = ProjectErrorCode | ClientErrorCode

/** The exact code of the authentication service. A newer service can send codes that this version does not list. */
export type ServiceCode = AuthenticationErrorCode | (string & {})

/** The policy under which several people approve: one group, or all groups, or the digest of the policy. */
export interface RequiredPolicy {
  readonly permission?: string | undefined
  readonly count?: number | undefined
  readonly groups?: 'none' | readonly { readonly permission: string; readonly count: number }[] | undefined
  readonly digest?: string | undefined
}

/**
 * The action for which a gate needs an approval: the `details` of the refusal. `confirmations.requestApproval`,
 * `confirmations.initiate` and `approvalRequests.start` take it as it is.
 */
export interface RequiredAction {
  readonly actionType: ActionTypeName
  readonly actionPayload: PayloadOf<ActionTypeName>
  /** The name of the gate, which is signed: an approval for one operation is refused for another. */
  readonly operation?: string | null | undefined
  /** The tenant, which is signed too. */
  readonly tenant?: string | null | undefined
  /** The policy of the approval request to start. Absent or `null` if the caller approves alone. */
  readonly policy?: RequiredPolicy | null | undefined
}

/** The facts about an error, in addition to its message. */
export interface ErrorFacts {
  readonly code: ErrorCode
  readonly serviceCode?: string | undefined
  readonly status?: number | undefined
  readonly details?: Readonly<Record<string, string>>
  readonly requiredAction?: RequiredAction | undefined
  readonly retryAfter?: Seconds | undefined
  readonly requestId?: string | undefined
  readonly body?: unknown
  readonly cause?: unknown
}

/** The error of every rejected call, except if the call was ended by the caller's own `AbortSignal`. */
export class CountersignError extends Error {
  override readonly name = 'CountersignError'
  /** The kind of the error. Programs compare codes, never messages. */
  declare readonly code: ErrorCode
  /** The exact code in a response of the authentication service, such as `confirmation_expired`. */
  readonly serviceCode: ServiceCode | undefined
  /** The HTTP status of the response; `undefined` without a response. */
  readonly status: number | undefined
  /** Each refused field, and what the field takes. Empty for an error that blames no field. */
  declare readonly details: Readonly<Record<string, string>>
  /** The action to confirm, in an error `CONFIRMATION_REQUIRED`. The option `approval` of a call requests it. */
  readonly requiredAction: RequiredAction | undefined
  /** The time after which to try again, if the service says so. */
  readonly retryAfter: Seconds | undefined
  /** The id of the request in the log of the service. */
  readonly requestId: string | undefined
  /** The body of the response, parsed if the body is JSON. */
  readonly body: unknown

  constructor(message: string, { cause, ...facts }: ErrorFacts) {
    super(message, cause ? { cause } : {})
    Object.assign(this, { details: {} }, facts)
  }
}

/** Returns whether a thrown value is a `CountersignError` of one of the codes. */
export const hasCode = (error: unknown, ...codes: readonly ErrorCode[]): error is CountersignError =>
  error instanceof CountersignError && codes.includes(error.code)

/** Returns whether the service refused the token, or a signature sent with the token. */
export const isUnauthorized = (error: unknown): error is CountersignError => hasCode(error, 'UNAUTHORIZED', 'SESSION_ENDED')

/** Returns the object if it has the methods. @throws CountersignError `VALIDATION_ERROR` that names the argument otherwise */
export const requireFunctions = <T>(name: string, value: T, ...methods: readonly (keyof T & string)[]): T => {
  if (methods.every((method) => typeof value?.[method] === 'function')) return value
  throw refusedInput(name, `must have the functions ${methods.join(', ')}`)
}

/** Makes the error for an input that is refused before any request. The error has the service's form, but no status. */
export const refusedInput = (field: string, takes: string, cause?: unknown): CountersignError =>
  new CountersignError(`${field}: ${takes}`, { code: 'VALIDATION_ERROR', details: { [field]: takes }, cause })
