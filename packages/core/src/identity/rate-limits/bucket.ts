import { type Instant, seconds } from '../../shared/clock.ts'
import type { RateLimit, RateLimitDecision } from './store.ts'

/**
 * Returns the capacity of a bucket in milliseconds. Every adapter implements `take` with the arithmetic of this file.
 *
 * A bucket is stored as one instant, `fullAt`: the time at which the bucket is full again (the generic cell rate algorithm, ITU-T
 * I.371). A request moves `fullAt` by `refillMs`. A request is refused if `fullAt` would be more than `burst` refills ahead. The
 * window needs the time of one request: the request `windowMax` ago. While that request is inside the window, the window is full.
 *
 * A clock that steps back, or a server whose clock is ahead, leaves instants in the future. The bucket treats them as a leap of
 * the clock (see `leapOf`), so nobody is locked out until the clock catches up. A leap moves the state and never refills the
 * bucket, so different clocks grant no free burst. An instant further ahead than one window is ignored.
 */
export const bucketCapacityMs = (limit: RateLimit): number => limit.burst * limit.refillMs

/**
 * A stored request may lie this many milliseconds ahead and still count at its own time. The clocks of servers differ by
 * less, so between such servers a limit is exact.
 */
export const CLOCK_TOLERANCE = seconds(5)

/**
 * Returns the milliseconds by which the clock that stored the latest request was ahead; 0 within the tolerance. The state then
 * counts as if the latest request had been at `now`.
 */
export const leapOf = (latest: Instant | undefined, now: Instant): number =>
  latest !== undefined && latest - now > CLOCK_TOLERANCE ? latest - now : 0

/**
 * Returns the time at which the bucket is full again, as of `now`. A time beyond the capacity and the tolerance is a leap: the
 * bucket is then empty, and the next request is allowed after one refill.
 *
 * @param leap See `leapOf`.
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
