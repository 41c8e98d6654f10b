import type { Instant } from '../../shared/clock.ts'

/**
 * A token bucket (capacity `burst`, refilled by one each `refillMs`) and a ceiling: at most `windowMax` within any
 * `windowMs`. Both must allow. Whole numbers of at least 1: fractions of a millisecond would not add up exactly.
 */
export interface RateLimit {
  readonly burst: number
  readonly refillMs: number
  readonly windowMax: number
  readonly windowMs: number
}

/** Whether a request may pass, and how its limit stands then. */
export interface RateLimitDecision {
  readonly allowed: boolean
  /** What the bucket holds now, in whole requests. */
  readonly remaining: number
  /** Milliseconds until the bucket holds one request more than `remaining`; 0 where the bucket is full. */
  readonly resetMs: number
  /** Milliseconds until a request can be allowed; 0 where this one was. */
  readonly retryAfterMs: number
  /** Which of the two refused; `undefined` where none did. */
  readonly refusedBy: 'burst' | 'window' | undefined
}

/** Where limits are counted. */
export interface RateLimitStore {
  /**
   * Takes one request from the limit of `key`. Atomic among all processes that share the store: of any number at once,
   * exactly as many are allowed as the limit holds. A refused request costs nothing.
   */
  take(key: string, limit: RateLimit, now: Instant): Promise<RateLimitDecision>
}
