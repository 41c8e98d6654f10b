import type { Instant } from '../../shared/clock.ts'
import type { RateLimit, RateLimitDecision } from './store.ts'

/**
 * Returns the capacity of a bucket in milliseconds. Every adapter implements `take` with the arithmetic of this file.
 *
 * A bucket is stored as one instant, `fullAt`: the time at which the bucket is full again (the generic cell rate algorithm,
 * ITU-T I.371). A request moves `fullAt` by `refillMs`. A request is refused if `fullAt` would be more than `burst` refills
 * ahead. The window needs the time of one request: the request `windowMax` ago. While that request is inside the window, the
 * window is full.
 *
 * A clock that steps back leaves instants in the future. The bucket then keeps its state, so the step grants no requests. An
 * instant further ahead than one window stems from a clock change and is ignored, so nobody is locked out for longer.
 */
export const bucketCapacityMs = (limit: RateLimit): number => limit.burst * limit.refillMs

/** Returns the time at which the bucket is full again, as of `now`. Ignores a stored time that a change of the clock left behind. */
export const currentFullAt = (limit: RateLimit, fullAt: Instant, now: Instant): Instant =>
  fullAt > now + bucketCapacityMs(limit) + limit.windowMs ? now : Math.max(fullAt, now)

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
