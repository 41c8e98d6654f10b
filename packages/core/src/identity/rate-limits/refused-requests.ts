import type { Instant } from '../../shared/clock.ts'
import { takeFromState } from './bucket.ts'
import { limitOf, type RateLimitDeps, type RateLimits, rateLimitKey } from './limits.ts'

/** Requests that a limit refuses now. */
export interface RefusedRequests {
  readonly category: keyof RateLimits
  readonly subject: string
  /** The time at which the next request can be allowed. */
  readonly allowedAt: Instant
}

/** Returns the limits that refuse a request of a subject at `now`. Takes no request. */
export const refusedRequests = async (
  { rateLimits, options }: RateLimitDeps,
  subjects: readonly string[],
  now: Instant,
): Promise<readonly RefusedRequests[]> => {
  const categories = Object.keys(options.rateLimits === 'off' ? {} : options.rateLimits) as readonly (keyof RateLimits)[]
  const found = await Promise.all(
    subjects.flatMap((subject) =>
      categories.map(async (category): Promise<readonly RefusedRequests[]> => {
        const limit = limitOf(options.rateLimits, category)
        const state = limit && (await rateLimits.read(rateLimitKey(category, subject)))
        if (limit === undefined || state === undefined) return []
        const { allowed, retryAfterMs } = takeFromState(limit, state, now).decision
        return allowed ? [] : [{ category, subject, allowedAt: now + retryAfterMs }]
      }),
    ),
  )
  return found.flat()
}
