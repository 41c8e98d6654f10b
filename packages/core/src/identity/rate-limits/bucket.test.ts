import { describe, expect, it } from 'vitest'
import { hours, minutes, seconds } from '../../shared/clock.ts'
import { bucketCapacityMs, CLOCK_TOLERANCE, currentFullAt } from './bucket.ts'
import { defaultRateLimits, perMinute } from './limits.ts'

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

it('a bucket whose stored time exceeds capacity and tolerance is empty', () => {
  const [now, capacity] = [1_000_000_000, bucketCapacityMs(limit)]
  expect(currentFullAt(limit, now + capacity + CLOCK_TOLERANCE, now)).toBe(now + capacity + CLOCK_TOLERANCE)
  expect(currentFullAt(limit, now + capacity + CLOCK_TOLERANCE + 1, now)).toBe(now + capacity)
})
