import { hours, type Instant, type Milliseconds, seconds } from '../../shared/clock.ts'
import type { RateLimit, RateLimitDecision, RateLimitState } from './store.ts'

/**
 * Returns the capacity of a bucket. Every adapter implements `take` with the arithmetic of this file.
 *
 * A bucket is stored as one instant, `fullAt`: the time at which it is full again (the generic cell rate algorithm, ITU-T I.371).
 * A request moves `fullAt` by `refillMs`, and is refused if that would be more than `burst` refills ahead. The window is full
 * while the request `windowMax` ago is inside it.
 *
 * A clock that steps back, or is ahead, leaves instants in the future. They count as a leap of the clock (see `measureLeap`),
 * which moves the state and never refills the bucket: nobody is locked out, and different clocks grant no free burst. An instant
 * further ahead than one window is ignored.
 */
export const bucketCapacityMs = (limit: RateLimit): Milliseconds => limit.burst * limit.refillMs

/** How far a stored request may lie ahead and still count at its own time. Between clocks that differ by less, a limit is exact. */
export const CLOCK_TOLERANCE = seconds(5)

/** Returns by how much the clock of the latest request was ahead; 0 within the tolerance. It then counts as if made at `now`. */
const measureLeap = (latest: Instant | undefined, now: Instant): Milliseconds =>
  latest !== undefined && latest - now > CLOCK_TOLERANCE ? latest - now : 0

/**
 * Returns when the bucket is full again, as of `now`. A time beyond the capacity and the tolerance is a leap: the bucket is then
 * empty, and the next request is allowed after one refill.
 */
export const currentFullAt = (limit: RateLimit, fullAt: Instant, now: Instant, leap = 0): Instant => {
  const emptyAt = now + bucketCapacityMs(limit)
  if (fullAt > emptyAt + limit.windowMs) return now
  const moved = fullAt - leap
  return moved > emptyAt + CLOCK_TOLERANCE ? emptyAt : Math.max(moved, now)
}

/** Returns whether a limit allows one more request at `now`. `windowMaxAgo` is the time of the request `windowMax` ago. */
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

/** A request is kept this long after it left the window, so that a clock that steps back by less allows nothing more. */
const KEPT_LONGER = hours(1)

/**
 * Decides about a request at `now`, by `decideRateLimit`. Without a state, nothing is stored for the key. Returns the decision, and
 * the next state, if it changes. If the next state is stored only while nobody changed it, the limit is exact.
 */
export const takeFromState = (limit: RateLimit, state: RateLimitState | undefined, now: Instant) => {
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
 * Returns the state as if the request at `takenAt` had never been made; `undefined` if it is not stored. A request that the bucket
 * has already refilled gives nothing back.
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
