import { describe, expect, it } from 'vitest'
import { hours, minutes, seconds } from '../../shared/clock.ts'
import { bucketCapacityMs, CLOCK_TOLERANCE, currentFullAt, decideRateLimit, measureLeap } from './bucket.ts'
import { defaultRateLimits, perMinute } from './limits.ts'

const now = 1_000_000_000
/** A burst of 20, one more request every six seconds, and 600 an hour. */
const limit = perMinute(10, hours(1), 20)

describe('a limit per minute', () => {
  it('refills evenly, and its window allows the count for each minute', () => {
    expect(limit).toStrictEqual({ burst: 20, refillMs: seconds(6), windowMax: 600, windowMs: hours(1) })
    expect(bucketCapacityMs(limit)).toBe(seconds(120))
  })

  it('rounds its refill up to whole milliseconds when a minute does not divide evenly', () => {
    expect(perMinute(7, minutes(1), 3)).toStrictEqual({ burst: 3, refillMs: 8572, windowMax: 7, windowMs: minutes(1) })
    expect(perMinute(1, seconds(90), 1).windowMax).toBe(1)
  })

  it('matches the default of each category', () => {
    expect(defaultRateLimits).toStrictEqual({
      authentication: { burst: 20, refillMs: 6000, windowMax: 600, windowMs: hours(1) },
      beginning: { burst: 60, refillMs: 1000, windowMax: 3600, windowMs: hours(1) },
      'device-registration': { burst: 10, refillMs: 12_000, windowMax: 75, windowMs: minutes(15) },
      confirmation: { burst: 50, refillMs: 3000, windowMax: 1200, windowMs: hours(1) },
      'device-management': { burst: 60, refillMs: 2000, windowMax: 1800, windowMs: hours(1) },
      'session-opening': { burst: 100, refillMs: 600, windowMax: 100, windowMs: minutes(1) },
    })
  })
})

describe('a rate limit decision', () => {
  it('allows a request when the bucket is full, and returns the remaining requests', () => {
    expect(decideRateLimit(limit, now, undefined, now)).toStrictEqual({
      allowed: true,
      remaining: 19,
      resetMs: seconds(6),
      retryAfterMs: 0,
      refusedBy: undefined,
    })
  })

  it('treats a bucket that has been full for long as just full', () => {
    expect(decideRateLimit(limit, 0, undefined, now)).toStrictEqual(decideRateLimit(limit, now, undefined, now))
  })

  it('allows the last request of the burst, and refuses the next request', () => {
    expect(decideRateLimit(limit, now + seconds(114), undefined, now)).toMatchObject({
      allowed: true,
      remaining: 0,
      resetMs: seconds(6),
    })
    expect(decideRateLimit(limit, now + seconds(114) + 1, undefined, now)).toStrictEqual({
      allowed: false,
      remaining: 0,
      resetMs: 1,
      retryAfterMs: 1,
      refusedBy: 'burst',
    })
  })

  it('returns the time until the bucket regains a request, at any point of the refill', () => {
    const resetAfter = (fullAt: number) => decideRateLimit(limit, now + fullAt, undefined, now).resetMs
    expect([0, seconds(1), seconds(6), seconds(13)].map(resetAfter)).toStrictEqual([6, 1, 6, 1].map(seconds))
  })

  it('refuses while the request windowMax ago is within the window, to the millisecond', () => {
    expect(decideRateLimit(limit, now, now - hours(1) + 1, now)).toStrictEqual({
      allowed: false,
      remaining: 20,
      resetMs: 0,
      retryAfterMs: 1,
      refusedBy: 'window',
    })
    expect(decideRateLimit(limit, now, now - hours(1), now).allowed).toBe(true)
    expect(decideRateLimit(limit, now, now, now).retryAfterMs).toBe(hours(1))
  })

  it('returns the longer delay when both limits refuse, and names that limit', () => {
    const empty = now + seconds(120)
    expect(decideRateLimit(limit, empty, now - hours(1) + 1000, now)).toMatchObject({
      retryAfterMs: seconds(6),
      refusedBy: 'burst',
    })
    expect(decideRateLimit(limit, empty, now - minutes(50), now)).toMatchObject({
      retryAfterMs: minutes(10),
      refusedBy: 'window',
    })
  })
})

describe('a clock that steps back', () => {
  const capacity = bucketCapacityMs(limit)

  it('does not change the bucket and the window within the tolerance', () => {
    const emptied = now + capacity
    expect(currentFullAt(limit, emptied, now - CLOCK_TOLERANCE)).toBe(emptied)
    expect(decideRateLimit(limit, emptied, undefined, now - 1000)).toMatchObject({ allowed: false, retryAfterMs: seconds(7) })
    expect(decideRateLimit(limit, now, now, now - 1)).toMatchObject({ refusedBy: 'window', retryAfterMs: hours(1) + 1 })
  })

  it('is a leap by the time of the latest request beyond the tolerance', () => {
    expect(measureLeap(undefined, now)).toBe(0)
    expect(measureLeap(now - hours(1), now)).toBe(0)
    expect(measureLeap(now + CLOCK_TOLERANCE, now)).toBe(0)
    expect(measureLeap(now + CLOCK_TOLERANCE + 1, now)).toBe(CLOCK_TOLERANCE + 1)
  })

  it('moves the bucket by the leap', () => {
    const usedOnce = now + minutes(10) + limit.refillMs
    expect(currentFullAt(limit, usedOnce, now, minutes(10))).toBe(now + limit.refillMs)
    expect(currentFullAt(limit, now - seconds(1), now, minutes(10))).toBe(now)
  })

  it('leaves an empty bucket if the stored time exceeds the capacity', () => {
    expect(currentFullAt(limit, now + capacity + CLOCK_TOLERANCE, now)).toBe(now + capacity + CLOCK_TOLERANCE)
    expect(currentFullAt(limit, now + capacity + CLOCK_TOLERANCE + 1, now)).toBe(now + capacity)
    expect(decideRateLimit(limit, now + minutes(10), undefined, now)).toMatchObject({ allowed: false, retryAfterMs: seconds(6) })
  })

  it('by more than a window makes earlier state irrelevant', () => {
    const latestKept = now + capacity + limit.windowMs
    expect(currentFullAt(limit, latestKept, now)).toBe(now + capacity)
    expect(currentFullAt(limit, latestKept + 1, now)).toBe(now)
    expect(decideRateLimit(limit, latestKept + 1, undefined, now)).toMatchObject({ allowed: true, remaining: 19 })
    expect(decideRateLimit(limit, now, now + limit.windowMs, now).allowed).toBe(false)
    expect(decideRateLimit(limit, now, now + limit.windowMs + 1, now).allowed).toBe(true)
  })
})
