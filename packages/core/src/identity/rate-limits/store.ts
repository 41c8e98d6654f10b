import type { Instant, Milliseconds } from '../../shared/clock.ts'

/**
 * A token bucket of `burst` requests, refilled by one every `refillMs`, and a window of at most `windowMax` requests in any
 * `windowMs`. A request must pass both. All values are whole numbers of at least 1, because fractions do not add up exactly.
 */
export interface RateLimit {
  readonly burst: number
  readonly refillMs: Milliseconds
  readonly windowMax: number
  readonly windowMs: Milliseconds
}

/** The decision about a request, and the state of the limit after the request. */
export interface RateLimitDecision {
  readonly allowed: boolean
  /** The number of whole requests that the bucket allows now. */
  readonly remaining: number
  /** The time until the bucket allows one more request than `remaining`; 0 if the bucket is full. */
  readonly resetMs: Milliseconds
  /** The time until a request can be allowed; 0 if this request was allowed. */
  readonly retryAfterMs: Milliseconds
  /** The limit that refused the request; `undefined` if the request was allowed. */
  readonly refusedBy: 'burst' | 'window' | undefined
}

/** The stored state of a limit for one key. */
export interface RateLimitState {
  /** The time at which the bucket is full again. */
  readonly fullAt: Instant
  /** The times of allowed requests that the window may still need, earliest first. */
  readonly allowedAt: readonly Instant[]
}

/** Counts requests for rate limits. */
export interface RateLimitStore {
  /** Takes one request from the limit of `key`, if there is one. Atomic among all processes that share the store. */
  take(key: string, limit: RateLimit, now: Instant): Promise<RateLimitDecision>
  /**
   * Gives a request back that `take` allowed at `takenAt`, as if it had never been made. Atomic like `take`. Has no effect if no
   * request of that time is stored, so that none is given back twice.
   */
  giveBack(key: string, limit: RateLimit, takenAt: Instant): Promise<void>
  /** Returns the state of the limit of `key`, and takes nothing; `undefined` if nothing is stored. */
  read(key: string): Promise<RateLimitState | undefined>
}
