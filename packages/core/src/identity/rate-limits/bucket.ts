import type { Instant } from '../../shared/clock.ts'
import type { RateLimit, RateLimitDecision } from './store.ts'

/**
 * Returns the capacity of a bucket in milliseconds. Every adapter implements `take` with the arithmetic of this file.
 *
 * A bucket is stored as one instant, `fullAt`: the time at which the bucket is full again (the generic cell rate algorithm,
 * ITU-T I.371). A request moves `fullAt` by `refillMs`. A request is refused where `fullAt` would be more than `burst` refills
 * ahead. The window needs the time of one request: the request `windowMax` ago. While that request is inside the window, the
 * window is full.
 *
 * A clock that steps back leaves instants in the future. The bucket then keeps its state, so the step grants no requests. An
 * instant further ahead than one window stems from a clock change and is ignored, so nobody is locked out for longer.
 */
export const capacityMs = (limit: RateLimit): number => limit.burst * limit.refillMs

/** Returns the effective `fullAt` at `now`, before this request. */
export const effectiveFullAt = (limit: RateLimit, fullAt: Instant, now: Instant): Instant =>
  fullAt > now + capacityMs(limit) + limit.windowMs ? now : Math.max(fullAt, now)

/**
 * Decides one request from the stored state.
 *
 * @param windowMaxAgo The time of the request `windowMax` ago; `undefined` where fewer requests are stored.
 */
export const decide = (limit: RateLimit, fullAt: Instant, windowMaxAgo: Instant | undefined, now: Instant): RateLimitDecision => {
  const before = effectiveFullAt(limit, fullAt, now)
  const after = before + limit.refillMs
  const burstWait = after - now - capacityMs(limit)
  const isForgotten = windowMaxAgo === undefined || windowMaxAgo > now + limit.windowMs
  const windowWait = isForgotten ? 0 : windowMaxAgo + limit.windowMs - now
  const allowed = burstWait <= 0 && windowWait <= 0
  const level = capacityMs(limit) - ((allowed ? after : before) - now)
  const remaining = Math.max(0, Math.floor(level / limit.refillMs))
  return {
    allowed,
    remaining,
    resetMs: remaining === limit.burst ? 0 : (remaining + 1) * limit.refillMs - level,
    retryAfterMs: allowed ? 0 : Math.max(burstWait, windowWait),
    refusedBy: allowed ? undefined : windowWait > burstWait ? 'window' : 'burst',
  }
}
