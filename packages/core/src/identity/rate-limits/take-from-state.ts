import { hours, type Instant } from '../../shared/clock.ts'
import { currentFullAt, decideRateLimit, leapOf } from './bucket.ts'
import type { RateLimit, RateLimitDecision, RateLimitState } from './store.ts'

/** A decision, and the state to store. */
export interface TakenFromState {
  readonly decision: RateLimitDecision
  /** `undefined` if the stored state stays as it is. */
  readonly next: RateLimitState | undefined
}

/** A request is kept this long after it left the window, so that a clock that steps back by less allows nothing more. */
const KEPT_LONGER = hours(1)

/**
 * Decides about a request at `now`, by the arithmetic of `decideRateLimit`. A state that is stored only if nobody changed it
 * meanwhile makes the limit exact.
 *
 * @param state `undefined` if nothing is stored for the key.
 */
export const takeFromState = (limit: RateLimit, state: RateLimitState | undefined, now: Instant): TakenFromState => {
  const { fullAt: storedFullAt, allowedAt: stored } = state ?? { fullAt: now, allowedAt: [] }
  const leap = leapOf(stored.at(-1), now)
  const fullAt = currentFullAt(limit, storedFullAt, now, leap)
  // Requests in the far future come from a clock that jumped ahead. They are forgotten for good.
  const near = stored.filter((at) => at <= now + limit.windowMs)
  const known = leap === 0 ? near : near.map((at) => Math.min(at, now))
  const decision = decideRateLimit(limit, fullAt, known.at(-limit.windowMax), now)
  if (decision.allowed) {
    const kept = known.filter((at) => at > now - limit.windowMs - KEPT_LONGER)
    // Requests may arrive in another order if the clock stepped back.
    const allowedAt = [...kept, now].toSorted((one, other) => one - other).slice(-limit.windowMax)
    return { decision, next: { fullAt: fullAt + limit.refillMs, allowedAt } }
  }
  const leaptAhead = leap > 0 || fullAt < storedFullAt || known.length < stored.length
  return { decision, next: leaptAhead ? { fullAt: Math.min(fullAt, storedFullAt), allowedAt: known } : undefined }
}

/**
 * Returns the state as if the request at `takenAt` had never been made; `undefined` if no such request is stored. A bucket is full
 * again no earlier than the requests after `takenAt` alone would fill it, so a request that the bucket has already refilled gives
 * nothing back.
 */
export const giveBackToState = (
  { refillMs }: RateLimit,
  { fullAt, allowedAt }: RateLimitState,
  takenAt: Instant,
): RateLimitState | undefined => {
  const index = allowedAt.lastIndexOf(takenAt)
  if (index === -1) return undefined
  const later = allowedAt.slice(index + 1)
  const fullByLater = later.reduce((full, at) => Math.max(full, at) + refillMs, takenAt)
  return { fullAt: Math.max(fullAt - refillMs, fullByLater), allowedAt: allowedAt.toSpliced(index, 1) }
}

/** Returns the time from which a state has no effect, as if nothing were stored. */
export const idleFrom = ({ windowMs }: RateLimit, { fullAt, allowedAt }: RateLimitState): Instant =>
  Math.max(fullAt, (allowedAt.at(-1) ?? fullAt) + windowMs)
