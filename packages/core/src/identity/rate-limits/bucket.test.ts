import { describe, expect, it } from 'vitest'
import { hours, minutes, seconds } from '../../shared/clock.ts'
import { capacityMs, decide, effectiveFullAt } from './bucket.ts'
import { defaultRateLimits, perMinute } from './limits.ts'

const now = 1_000_000_000
/** 20 at once, one more each six seconds, 600 an hour. */
const limit = perMinute(10, hours(1), 20)

describe('a limit per minute', () => {
  it('is refilled evenly, and has a ceiling of as much for each minute of its window', () => {
    expect(limit).toStrictEqual({ burst: 20, refillMs: seconds(6), windowMax: 600, windowMs: hours(1) })
    expect(capacityMs(limit)).toBe(seconds(120))
  })

  it('is in whole milliseconds, and never faster than said, where a minute does not divide evenly', () => {
    expect(perMinute(7, minutes(1), 3)).toStrictEqual({ burst: 3, refillMs: 8572, windowMax: 7, windowMs: minutes(1) })
    expect(perMinute(1, seconds(90), 1).windowMax).toBe(1)
  })

  it('is, by default, what each category has', () => {
    expect(defaultRateLimits).toStrictEqual({
      authentication: { burst: 20, refillMs: 6000, windowMax: 600, windowMs: hours(1) },
      'device-registration': { burst: 10, refillMs: 12_000, windowMax: 75, windowMs: minutes(15) },
      confirmation: { burst: 50, refillMs: 3000, windowMax: 1200, windowMs: hours(1) },
      'device-management': { burst: 60, refillMs: 2000, windowMax: 1800, windowMs: hours(1) },
    })
  })
})

describe('a decision', () => {
  it('allows where the bucket is full, and says what is left', () => {
    expect(decide(limit, now, undefined, now)).toStrictEqual({
      allowed: true,
      remaining: 19,
      resetMs: seconds(6),
      retryAfterMs: 0,
      refusedBy: undefined,
    })
  })

  it('counts a bucket that has been full for long as full, not as more', () => {
    expect(decide(limit, 0, undefined, now)).toStrictEqual(decide(limit, now, undefined, now))
  })

  it('allows the last of the burst, and refuses the one after it', () => {
    expect(decide(limit, now + seconds(114), undefined, now)).toMatchObject({
      allowed: true,
      remaining: 0,
      resetMs: seconds(6),
    })
    expect(decide(limit, now + seconds(114) + 1, undefined, now)).toStrictEqual({
      allowed: false,
      remaining: 0,
      resetMs: 1,
      retryAfterMs: 1,
      refusedBy: 'burst',
    })
  })

  it('says when the next request is back in the bucket, from wherever the refill stands', () => {
    const resetAfter = (fullAt: number) => decide(limit, now + fullAt, undefined, now).resetMs
    expect([0, seconds(1), seconds(6), seconds(13)].map(resetAfter)).toStrictEqual([6, 1, 6, 1].map(seconds))
  })

  it('refuses while the request `windowMax` ago is within the window, to the millisecond', () => {
    expect(decide(limit, now, now - hours(1) + 1, now)).toStrictEqual({
      allowed: false,
      remaining: 20,
      resetMs: 0,
      retryAfterMs: 1,
      refusedBy: 'window',
    })
    expect(decide(limit, now, now - hours(1), now).allowed).toBe(true)
    expect(decide(limit, now, now, now).retryAfterMs).toBe(hours(1))
  })

  it('that both refuse waits for the later, and names it', () => {
    const empty = now + seconds(120)
    expect(decide(limit, empty, now - hours(1) + 1000, now)).toMatchObject({ retryAfterMs: seconds(6), refusedBy: 'burst' })
    expect(decide(limit, empty, now - minutes(50), now)).toMatchObject({ retryAfterMs: minutes(10), refusedBy: 'window' })
  })
})

describe('a clock that steps back', () => {
  it('leaves the bucket as it is', () => {
    const emptied = now + capacityMs(limit)
    expect(effectiveFullAt(limit, emptied, now - minutes(10))).toBe(emptied)
    expect(decide(limit, emptied, undefined, now - minutes(10))).toMatchObject({
      allowed: false,
      remaining: 0,
      resetMs: minutes(10) + seconds(6),
      retryAfterMs: minutes(10) + seconds(6),
    })
  })

  it('leaves the window as it is', () => {
    expect(decide(limit, now, now, now - 1)).toMatchObject({ allowed: false, refusedBy: 'window', retryAfterMs: hours(1) + 1 })
  })

  it('by more than a window was a leap, and what lies behind it is forgotten', () => {
    const latestKept = now + capacityMs(limit) + limit.windowMs
    expect(effectiveFullAt(limit, latestKept, now)).toBe(latestKept)
    expect(effectiveFullAt(limit, latestKept + 1, now)).toBe(now)
    expect(decide(limit, latestKept + 1, undefined, now)).toMatchObject({ allowed: true, remaining: 19 })
    expect(decide(limit, now, now + limit.windowMs, now).allowed).toBe(false)
    expect(decide(limit, now, now + limit.windowMs + 1, now).allowed).toBe(true)
  })
})
