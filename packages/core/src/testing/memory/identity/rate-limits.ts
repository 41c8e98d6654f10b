import { currentFullAt, decideRateLimit } from '../../../identity/rate-limits/bucket.ts'
import type { RateLimitStore } from '../../../identity/rate-limits/store.ts'
import type { Instant } from '../../../shared/clock.ts'
import type { RateLimitRow, Run } from '../tables.ts'

type Kept = Pick<RateLimitRow, 'fullAt' | 'allowedAt'>

/** Returns the latest instants, sorted. Requests may arrive in another order where the clock stepped back. */
const latest = (count: number, instants: readonly Instant[]): Instant[] => instants.toSorted((a, b) => a - b).slice(-count)

export const memoryRateLimits = (run: Run): RateLimitStore => ({
  take: (key, limit, now) =>
    run(({ rateLimits }) => {
      const row: Kept = rateLimits.get(key) ?? { fullAt: now, allowedAt: [] }
      const fullAt = currentFullAt(limit, row.fullAt, now)
      // Requests in the far future come from a clock that jumped ahead. They are forgotten for good.
      const allowedAt = row.allowedAt.filter((instant) => instant <= now + limit.windowMs)
      const decision = decideRateLimit(limit, fullAt, allowedAt.at(-limit.windowMax), now)
      const next: Kept = decision.allowed
        ? { fullAt: fullAt + limit.refillMs, allowedAt: latest(limit.windowMax, [...allowedAt, now]) }
        : { fullAt: Math.min(fullAt, row.fullAt), allowedAt }
      rateLimits.set(key, { ...next, idleAt: Math.max(next.fullAt, (next.allowedAt.at(-1) ?? now) + limit.windowMs) })
      return decision
    }),
})
