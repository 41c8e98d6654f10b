import fc from 'fast-check'
import { expect } from 'vitest'
import { CLOCK_TOLERANCE } from '../../../identity/rate-limits/bucket.ts'
import type { RateLimit, RateLimitDecision, RateLimitStore } from '../../../identity/rate-limits/store.ts'
import { randomUuid, systemRandom } from '../../../shared/random.ts'
import { clockStart } from '../../fake-clock.ts'
import { atOnce } from '../at-once.ts'

const TRACES = 10_000

/**
 * A token bucket and a sliding window as in a textbook, without the arithmetic under test. The bucket counts milliseconds: it fills
 * with time, and empties when the clock steps back. The window is a list of allowed requests.
 */
const textbookLimiter = ({ burst, refillMs, windowMax, windowMs }: RateLimit) => {
  const capacity = burst * refillMs
  let bucket = { holds: capacity, at: 0 }
  let allowedAt: number[] = []

  const holdsAt = (now: number) => Math.min(capacity, bucket.holds + (now - bucket.at))
  const bucketAllows = (now: number) => holdsAt(now) >= refillMs
  const windowAllows = (now: number) => allowedAt.filter((instant) => instant > now - windowMs).length < windowMax

  /**
   * Forgets requests that lie more than a window ahead, and moves those that lie more than the tolerance ahead to the present.
   * The clock must have been wrong then.
   */
  const correctLeaps = (now: number) => {
    const ahead = (allowedAt.at(-1) ?? now) - now
    if (holdsAt(now) < -windowMs) bucket = { holds: capacity, at: now }
    else if (ahead > CLOCK_TOLERANCE) bucket = { ...bucket, at: bucket.at - ahead }
    if (holdsAt(now) < -CLOCK_TOLERANCE) bucket = { holds: 0, at: now }
    allowedAt = allowedAt.filter((instant) => instant <= now + windowMs)
    if (ahead > CLOCK_TOLERANCE) allowedAt = allowedAt.map((instant) => Math.min(instant, now))
  }

  /** Returns whether `retryAfterMs` is exact: one millisecond earlier is too early, for the given reason. */
  const isHonest = ({ retryAfterMs, refusedBy }: RateLimitDecision, now: number): boolean => {
    if (refusedBy === undefined) return retryAfterMs === 0
    const comeBackAt = now + retryAfterMs
    const tooEarly = comeBackAt - 1
    const reason = bucketAllows(tooEarly) ? 'window' : 'burst'
    const isTooEarly = !(bucketAllows(tooEarly) && windowAllows(tooEarly))
    return bucketAllows(comeBackAt) && windowAllows(comeBackAt) && isTooEarly && refusedBy === reason
  }

  const take = (now: number): Pick<RateLimitDecision, 'allowed' | 'remaining' | 'resetMs'> => {
    correctLeaps(now)
    const allowed = bucketAllows(now) && windowAllows(now)
    if (allowed) {
      bucket = { holds: holdsAt(now) - refillMs, at: now }
      // Only the last `windowMax` requests can fill a window.
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
  // The long windows outlast the steps back, so that the leaps within a window are decided too.
  windowMs: fc.oneof(
    { weight: 3, arbitrary: fc.integer({ min: 10, max: 1000 }) },
    { weight: 1, arbitrary: fc.integer({ min: 10_000, max: 40_000 }) },
  ),
})

/** Milliseconds between requests: bursts, slow requests, pauses, and clocks that step or jump back. */
const steps = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.constant(0) },
    { weight: 6, arbitrary: fc.integer({ min: 1, max: 60 }) },
    { weight: 2, arbitrary: fc.integer({ min: 60, max: 1500 }) },
    { weight: 1, arbitrary: fc.integer({ min: -60, max: -1 }) },
    { weight: 1, arbitrary: fc.integer({ min: -3000, max: -500 }) },
    { weight: 1, arbitrary: fc.integer({ min: -20_000, max: -4000 }) },
  ),
  { minLength: 10, maxLength: 40, size: 'max' },
)

/**
 * Checks that the store decides 10,000 random traces like the textbook algorithm, also when clocks step back. The requests of a
 * trace are sent at the same time, and must be decided in their order.
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
  // Guards against traces that never reach some outcome.
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(TRACES)
}
