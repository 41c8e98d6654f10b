import type { Instant } from '../../shared/clock.ts'
import type { RateLimit, RateLimitDecision } from './store.ts'

/**
 * The arithmetic that every adapter's `take` agrees with. A bucket is kept as one instant, `fullAt`: when it will be
 * full again (the generic cell rate algorithm, ITU-T I.371). A request pushes it `refillMs` further, and is refused
 * where it would come to lie more than `burst` refills ahead. The ceiling needs only the time of the request that
 * was `windowMax` ago: while that is within the window, the window is full.
 *
 * A clock that steps back leaves instants in the future. A bucket then stays as it is, so the step gives nothing away;
 * but what lies further ahead than one window can only be such a leap and is forgotten, so nobody is locked out longer.
 */
export const capacityMs = (limit: RateLimit): number => limit.burst * limit.refillMs

/** `fullAt` as it counts at `now`, before this request. */
export const effectiveFullAt = (limit: RateLimit, fullAt: Instant, now: Instant): Instant =>
  fullAt > now + capacityMs(limit) + limit.windowMs ? now : Math.max(fullAt, now)

/**
 * Decides one request from what stands.
 *
 * @param windowMaxAgo When the request `windowMax` ago was; `undefined` where there were not as many.
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
