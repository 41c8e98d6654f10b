import type { Instant } from '../../ports/clock.ts'
import { decide, effectiveFullAt } from '../../rate-limits/bucket.ts'
import type { RateLimit, RateLimitStore } from '../../rate-limits/store.ts'
import type { RateLimitRow, Run } from './tables.ts'

/** What still counts of a row at `now`: without what a leap of the clock left in the far future. */
const current = (row: RateLimitRow | undefined, limit: RateLimit, now: Instant) => ({
  fullAt: effectiveFullAt(limit, row?.fullAt ?? now, now),
  allowedAt: (row?.allowedAt ?? []).filter((instant) => instant <= now + limit.windowMs),
})

export const memoryRateLimits = (run: Run): RateLimitStore => ({
  take: (key, limit, now) =>
    run(({ rateLimits }) => {
      const { fullAt, allowedAt } = current(rateLimits.get(key), limit, now)
      const decision = decide(limit, fullAt, allowedAt.at(-limit.windowMax), now)
      if (decision.allowed) allowedAt.push(now)
      const kept = allowedAt.slice(-limit.windowMax)
      const nextFullAt = now + decision.resetMs
      rateLimits.set(key, {
        fullAt: nextFullAt,
        allowedAt: kept,
        idleAt: Math.max(nextFullAt, ...kept.map((instant) => instant + limit.windowMs)),
      })
      return decision
    }),
})
