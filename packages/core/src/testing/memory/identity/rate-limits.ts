import type { RateLimitStore } from '../../../identity/rate-limits/store.ts'
import { giveBackToState, idleFrom, takeFromState } from '../../../identity/rate-limits/take-from-state.ts'
import type { Run } from '../tables.ts'

export const memoryRateLimits = (run: Run): RateLimitStore => ({
  take: (key, limit, now) =>
    run(({ rateLimits }) => {
      const { decision, next } = takeFromState(limit, rateLimits.get(key), now)
      if (next !== undefined) rateLimits.set(key, { ...next, idleAt: idleFrom(limit, next) })
      return decision
    }),
  giveBack: (key, limit, takenAt) =>
    run(({ rateLimits }) => {
      const state = rateLimits.get(key)
      const next = state && giveBackToState(limit, state, takenAt)
      if (next !== undefined) rateLimits.set(key, { ...next, idleAt: idleFrom(limit, next) })
    }),
})
