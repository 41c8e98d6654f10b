import { type ErrorCode, type ErrorDescription, errorDescriptions } from '@countersign/contract'
import type { Milliseconds } from './clock.ts'
import type { UnavailableReason } from './unavailable-reason.ts'

/** The kinds of errors, from which follow the HTTP status and the exit code. No error contains a secret or raw input. */
export type ErrorKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'gone'
  | 'rate_limited'
  | 'unavailable'

/** The code of an error of the host, whose class extends one of these. */
type HostCode = string & {}

/**
 * The base class of every error that a use case throws on purpose. Programs compare `kind`, `code` or the class. `code` is
 * stable; `message` is for people and may change. Any other thrown error is a bug, of Countersign or of a port.
 */
export abstract class CountersignError extends Error {
  abstract readonly kind: ErrorKind
  abstract readonly code: ErrorCode | HostCode

  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = new.target.name
  }
}

/** The input is invalid. `fields` has a message for each wrong field. */
export class Invalid extends CountersignError {
  readonly kind = 'invalid'
  readonly code: ErrorCode | HostCode = 'invalid_input'
  readonly fields: Readonly<Record<string, string>>

  constructor(fields: Readonly<Record<string, string>>, options?: ErrorOptions) {
    super(
      Object.entries(fields)
        .map(([field, takes]) => `${field}: ${takes}`)
        .join('; '),
      options,
    )
    this.fields = fields
  }
}

/** The caller is not authenticated, or no longer. */
export class Unauthenticated extends CountersignError {
  readonly kind = 'unauthenticated'
  readonly code: ErrorCode | HostCode = 'unauthenticated'

  constructor(message: string = errorDescriptions.unauthenticated.message) {
    super(message)
  }
}

/** The caller is authenticated, but not allowed to do this. */
export class Forbidden extends CountersignError {
  readonly kind = 'forbidden'
  readonly code: ErrorCode | HostCode = 'forbidden'

  constructor(message: string = errorDescriptions.forbidden.message) {
    super(message)
  }
}

/** The thing does not exist, or the caller must not know that it exists. */
export class NotFound extends CountersignError {
  readonly kind = 'not_found'
  readonly code: ErrorCode | HostCode = 'not_found'
}

/** The stored state does not allow the operation. */
export class Conflict extends CountersignError {
  readonly kind = 'conflict'
  readonly code: ErrorCode | HostCode = 'conflict'
}

/** The thing existed, and has expired or was used. */
export class Gone extends CountersignError {
  readonly kind = 'gone'
  readonly code: ErrorCode | HostCode = 'gone'
}

/** The caller called too often. Another call can succeed after `retryAfterMs`. */
export class RateLimited extends CountersignError {
  readonly kind = 'rate_limited'
  readonly code: ErrorCode | HostCode = 'rate_limited'
  readonly retryAfterMs: Milliseconds

  constructor(retryAfterMs: Milliseconds, message: string = errorDescriptions.rate_limited.message) {
    super(message)
    this.retryAfterMs = retryAfterMs
  }
}

/** The options of an `Unavailable`. */
export interface UnavailableOptions extends ErrorOptions {
  /** The time until another try. One second by default. */
  readonly retryAfterMs?: Milliseconds
  /** The cause, for the log. `unknown` by default. */
  readonly reason?: UnavailableReason
}

/** A dependency, such as the database, is unavailable or overloaded. Another try can succeed after `retryAfterMs`. */
export class Unavailable extends CountersignError {
  readonly kind = 'unavailable'
  readonly code: ErrorCode | HostCode = 'unavailable'
  readonly retryAfterMs: Milliseconds
  /** The cause, for the log. No response names it. */
  readonly reason: UnavailableReason

  constructor(message: string = errorDescriptions.unavailable.message, options: UnavailableOptions = {}) {
    super(message, options)
    this.retryAfterMs = options.retryAfterMs ?? 1000
    this.reason = options.reason ?? 'unknown'
  }
}

export const classOfKind = {
  invalid: Invalid,
  unauthenticated: Unauthenticated,
  forbidden: Forbidden,
  not_found: NotFound,
  conflict: Conflict,
  gone: Gone,
  rate_limited: RateLimited,
  unavailable: Unavailable,
} as const satisfies Record<ErrorKind, unknown>

type Declared<Code extends ErrorCode> = (typeof errorDescriptions)[Code]
type ClassOfKind<Code extends ErrorCode> = (typeof classOfKind)[Declared<Code>['kind'] & ErrorKind]
type Input<Code extends ErrorCode> =
  Declared<Code> extends { readonly message: string } ? [] : ConstructorParameters<ClassOfKind<Code>>

/** The class of a declared error. An error whose message is declared takes nothing. */
export interface DeclaredErrorClass<Code extends ErrorCode> {
  readonly code: Code
  new (...input: Input<Code>): InstanceType<ClassOfKind<Code>> & { readonly code: Code }
}

/** Returns the class of an error that the contract declares: a subclass of the class of its kind, with its code and message. */
export const errorOf = <Code extends ErrorCode>(code: Code): DeclaredErrorClass<Code> => {
  const { kind, message }: ErrorDescription = errorDescriptions[code]
  const Base = classOfKind[kind as ErrorKind] as new (...input: readonly unknown[]) => Error & { readonly code: string }
  class DeclaredError extends Base {
    static readonly code = code
    override readonly code = code

    constructor(...input: readonly unknown[]) {
      super(...(message === undefined ? input : [message]))
    }
  }
  return DeclaredError as unknown as DeclaredErrorClass<Code>
}

/** A change that names one thing would change nothing. The message says why. */
export class NothingToChange extends errorOf('nothing_to_change') {}

/** This server has more work than it can do in time. Its dependencies are well. */
export class Overloaded extends errorOf('overloaded') {
  constructor(message: string, reason: UnavailableReason, options?: Omit<UnavailableOptions, 'reason'>) {
    super(message, { ...options, reason })
  }
}
