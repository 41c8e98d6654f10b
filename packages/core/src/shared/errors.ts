/**
 * The one family of errors. A kind says what sort of refusal it is, a code is the stable promise to programs,
 * the message is for people. No error ever carries a token, a key, a password, a challenge or a raw input.
 * What a kind means to a transport (a status, an exit code) is said in one table at each edge.
 */
export type ErrorKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'gone'
  | 'rate_limited'
  | 'unavailable'

/**
 * What every use case throws where it refuses. Tell sorts of refusal apart by `kind`, and one refusal from another by `code` or
 * its class; `message` is for people, and may change. Whatever else is thrown is a mistake, of ours or of a port.
 */
export abstract class CountersignError extends Error {
  abstract readonly kind: ErrorKind
  abstract readonly code: string

  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = new.target.name
  }
}

/** What was sent is not what the operation takes. `fields` maps each bad field to what it takes. */
export class Invalid extends CountersignError {
  readonly kind = 'invalid'
  readonly code: string = 'invalid_input'
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

/** Who is asking is not known, or no longer. */
export class Unauthenticated extends CountersignError {
  readonly kind = 'unauthenticated'
  readonly code: string = 'unauthenticated'

  constructor(message = 'Authentication required') {
    super(message)
  }
}

/** Who is asking is known, and may not. */
export class Forbidden extends CountersignError {
  readonly kind = 'forbidden'
  readonly code: string = 'forbidden'

  constructor(message = 'Insufficient permissions') {
    super(message)
  }
}

/** There is no such thing, or none that the asking user may know of. */
export class NotFound extends CountersignError {
  readonly kind = 'not_found'
  readonly code: string = 'not_found'
}

/** What stands already does not allow it. */
export class Conflict extends CountersignError {
  readonly kind = 'conflict'
  readonly code: string = 'conflict'
}

/** It was there, and is expired or used up. */
export class Gone extends CountersignError {
  readonly kind = 'gone'
  readonly code: string = 'gone'
}

/** Too often. `retryAfterMs`: milliseconds until a further try can succeed. */
export class RateLimited extends CountersignError {
  readonly kind = 'rate_limited'
  readonly code: string = 'rate_limited'
  readonly retryAfterMs: number

  constructor(retryAfterMs: number, message = 'Rate limit exceeded') {
    super(message)
    this.retryAfterMs = retryAfterMs
  }
}

/** Not now: something this stands on is away or full. `retryAfterMs`: milliseconds after which to try again. */
export class Unavailable extends CountersignError {
  readonly kind = 'unavailable'
  readonly code: string = 'unavailable'
  readonly retryAfterMs: number

  constructor(message = 'Service temporarily unavailable', options: ErrorOptions & { retryAfterMs?: number } = {}) {
    super(message, options)
    this.retryAfterMs = options.retryAfterMs ?? 1000
  }
}
