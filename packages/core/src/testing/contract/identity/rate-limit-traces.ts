import fc from 'fast-check'
import { expect } from 'vitest'
import type { RateLimit, RateLimitDecision, RateLimitStore } from '../../../identity/rate-limits/store.ts'
import { randomUuid, systemRandom } from '../../../shared/random.ts'
import { clockStart } from '../../fake-clock.ts'
import { atOnce } from '../at-once.ts'

const TRACES = 10_000

/**
 * A token bucket and a sliding window as a textbook draws them, and nothing of the arithmetic under test: a bucket of
 * milliseconds that fills as time passes (and empties as the clock steps back), and a list of allowed requests.
 */
const textbookLimiter = ({ burst, refillMs, windowMax, windowMs }: RateLimit) => {
  const capacity = burst * refillMs
  let bucket = { holds: capacity, at: 0 }
  let allowedAt: number[] = []

  const holdsAt = (now: number) => Math.min(capacity, bucket.holds + (now - bucket.at))
  const bucketAllows = (now: number) => holdsAt(now) >= refillMs
  const windowAllows = (now: number) => allowedAt.filter((instant) => instant > now - windowMs).length < windowMax

  /** A clock further back than a window was wrong before: what it left counts no more. */
  const forgetLeaps = (now: number) => {
    if (holdsAt(now) < -windowMs) bucket = { holds: capacity, at: now }
    allowedAt = allowedAt.filter((instant) => instant <= now + windowMs)
  }

  /** Whether a refusal says what is true: one millisecond before `retryAfterMs` it is too early, for the reason given. */
  const isHonest = ({ retryAfterMs, refusedBy }: RateLimitDecision, now: number): boolean => {
    if (refusedBy === undefined) return retryAfterMs === 0
    const comeBackAt = now + retryAfterMs
    const tooEarly = comeBackAt - 1
    const reason = bucketAllows(tooEarly) ? 'window' : 'burst'
    const isTooEarly = !(bucketAllows(tooEarly) && windowAllows(tooEarly))
    return bucketAllows(comeBackAt) && windowAllows(comeBackAt) && isTooEarly && refusedBy === reason
  }

  const take = (now: number): Pick<RateLimitDecision, 'allowed' | 'remaining' | 'resetMs'> => {
    forgetLeaps(now)
    const allowed = bucketAllows(now) && windowAllows(now)
    if (allowed) {
      bucket = { holds: holdsAt(now) - refillMs, at: now }
      // Only the latest `windowMax` can fill a window.
      allowedAt = [...allowedAt, now].sort((a, b) => a - b).slice(-windowMax)
    }
    const holds = holdsAt(now)
    const remaining = Math.max(0, Math.floor(holds / refillMs))
    return { allowed, remaining, resetMs: remaining < burst ? (remaining + 1) * refillMs - holds : 0 }
  }

  return { take, isHonest }
}

const limits: fc.Arbitrary<RateLimit> = fc.record({
  burst: fc.integer({ min: 1, max: 8 }),
  refillMs: fc.integer({ min: 1, max: 50 }),
  windowMax: fc.integer({ min: 1, max: 15 }),
  windowMs: fc.integer({ min: 10, max: 1000 }),
})

/** Milliseconds from one request to the next: many at once, a trickle, pauses, and clocks that step or leap back. */
const steps = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.constant(0) },
    { weight: 6, arbitrary: fc.integer({ min: 1, max: 60 }) },
    { weight: 2, arbitrary: fc.integer({ min: 60, max: 1500 }) },
    { weight: 1, arbitrary: fc.integer({ min: -60, max: -1 }) },
    { weight: 1, arbitrary: fc.integer({ min: -3000, max: -500 }) },
  ),
  { minLength: 10, maxLength: 40, size: 'max' },
)

/**
 * Fails where the store decides a request of 10,000 random traces in another way than the textbook does, clocks that step
 * back included. The requests of a trace are sent in one go, and must be decided in their order.
 */
export const expectTextbookDecisions = async (store: RateLimitStore): Promise<void> => {
  const run = randomUuid(systemRandom)
  const seen = { allowed: 0, burst: 0, window: 0 }
  let traces = 0
  await fc.assert(
    fc.asyncProperty(limits, steps, async (limit, trace) => {
      traces += 1
      const key = `trace:${run}:${traces}`
      const textbook = textbookLimiter(limit)
      let clock = clockStart
      const instants = trace.map((step) => {
        clock += step
        return clock
      })
      const taken = await atOnce(instants.length, (index) => store.take(key, limit, instants[index] as number))
      const decisions: unknown[] = []
      const expected: unknown[] = []
      for (const [index, now] of instants.entries()) {
        const decision = taken[index] as RateLimitDecision
        const { allowed, remaining, resetMs } = decision
        expected.push({ ...textbook.take(now), isHonest: true })
        decisions.push({ allowed, remaining, resetMs, isHonest: textbook.isHonest(decision, now) })
        seen[decision.refusedBy ?? 'allowed'] += 1
      }
      expect(decisions).toStrictEqual(expected)
    }),
    { numRuns: TRACES },
  )
  // The traces mean something only where each outcome was common.
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(TRACES)
}
