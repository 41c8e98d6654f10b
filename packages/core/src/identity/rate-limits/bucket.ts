import { hours, type Instant, type Milliseconds, seconds } from '../../shared/clock.ts'
import type { RateLimit, RateLimitDecision, RateLimitState } from './store.ts'

/**
 * Returns the capacity of a bucket. Every adapter implements `take` with the arithmetic of this file.
 *
 * A bucket is stored as one instant, `fullAt`: the time at which the bucket is full again (the generic cell rate algorithm, ITU-T
 * I.371). A request moves `fullAt` by `refillMs`. A request is refused if `fullAt` would be more than `burst` refills ahead. The
 * window needs the time of one request: the request `windowMax` ago. While that request is inside the window, the window is full.
 *
 * A clock that steps back, or a server whose clock is ahead, leaves instants in the future. The bucket treats them as a leap of
 * the clock (see `measureLeap`), so nobody is locked out until the clock catches up. A leap moves the state and never refills the
 * bucket, so different clocks grant no free burst. An instant further ahead than one window is ignored.
 */
export const bucketCapacityMs = (limit: RateLimit): Milliseconds => limit.burst * limit.refillMs

/**
 * A stored request may lie this many milliseconds ahead and still count at its own time. The clocks of servers differ by
 * less, so between such servers a limit is exact.
 */
export const CLOCK_TOLERANCE = seconds(5)

/**
 * Returns by how much the clock that stored the latest request was ahead; 0 within the tolerance. The state then
 * counts as if the latest request had been at `now`.
 */
const measureLeap = (latest: Instant | undefined, now: Instant): Milliseconds =>
  latest !== undefined && latest - now > CLOCK_TOLERANCE ? latest - now : 0

/**
 * Returns the time at which the bucket is full again, as of `now`. A time beyond the capacity and the tolerance is a leap: the
 * bucket is then empty, and the next request is allowed after one refill.
 *
 * @param leap See `measureLeap`.
 */
export const currentFullAt = (limit: RateLimit, fullAt: Instant, now: Instant, leap = 0): Instant => {
  const emptyAt = now + bucketCapacityMs(limit)
  if (fullAt > emptyAt + limit.windowMs) return now
  const moved = fullAt - leap
  return moved > emptyAt + CLOCK_TOLERANCE ? emptyAt : Math.max(moved, now)
}

/**
 * Returns whether a bucket and its window allow one more request at `now`, and the figures for the response.
 *
 * @param windowMaxAgo The time of the request `windowMax` ago; `undefined` if fewer requests are stored.
 */
export const decideRateLimit = (
  limit: RateLimit,
  fullAt: Instant,
  windowMaxAgo: Instant | undefined,
  now: Instant,
): RateLimitDecision => {
  const before = currentFullAt(limit, fullAt, now)
  const after = before + limit.refillMs
  const burstWait = after - now - bucketCapacityMs(limit)
  const isForgotten = windowMaxAgo === undefined || windowMaxAgo > now + limit.windowMs
  const windowWait = isForgotten ? 0 : windowMaxAgo + limit.windowMs - now
  const allowed = burstWait <= 0 && windowWait <= 0
  const level = bucketCapacityMs(limit) - ((allowed ? after : before) - now)
  const remaining = Math.max(0, Math.floor(level / limit.refillMs))
  return {
    allowed,
    remaining,
    resetMs: remaining === limit.burst ? 0 : (remaining + 1) * limit.refillMs - level,
    retryAfterMs: allowed ? 0 : Math.max(burstWait, windowWait),
    refusedBy: allowed ? undefined : windowWait > burstWait ? 'window' : 'burst',
  }
}

/** A decision, and the state to store. */
export interface TakenFromState {
  readonly decision: RateLimitDecision
  /** `undefined` if the stored state does not change. */
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
  const leap = measureLeap(stored.at(-1), now)
  const fullAt = currentFullAt(limit, storedFullAt, now, leap)
  // Requests in the far future come from a clock that jumped ahead. They are removed from the state.
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
