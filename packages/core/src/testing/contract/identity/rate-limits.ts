import { describe, expect, it } from 'vitest'
import { defaultRateLimits } from '../../../identity/rate-limits/limits.ts'
import type { RateLimit, RateLimitStore } from '../../../identity/rate-limits/store.ts'
import { type RateLimitState, takeFromState } from '../../../identity/rate-limits/take-from-state.ts'
import { hours, minutes, seconds } from '../../../shared/clock.ts'
import { randomUuid, systemRandom } from '../../../shared/random.ts'
import { clockStart } from '../../fake-clock.ts'
import { atOnce } from '../at-once.ts'
import { hostileTexts } from '../hostile-texts.ts'

const aKey = () => `authentication:key-${randomUuid(systemRandom)}`

/** A burst of 20, one more every six seconds, and 600 in an hour. */
const bursty = defaultRateLimits.authentication
/** A burst of three, one more every 100 ms, and five in ten seconds. */
const tight: RateLimit = { burst: 3, refillMs: 100, windowMax: 5, windowMs: seconds(10) }

/** Returns a list of instants that is the same in every run, with steps of `0 ≤ step < most` ms. Some instants repeat. */
const instants = (count: number, most: number): number[] => {
  const trace: number[] = []
  let state = 42
  let now = clockStart
  for (let index = 0; index < count; index += 1) {
    // The linear congruential generator of the `rand` example in ISO C.
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff
    const step = (state >> 8) % (2 * most)
    now += Math.max(0, step - most)
    trace.push(now)
  }
  return trace
}

export const rateLimitsContract = (store: () => RateLimitStore): void => {
  describe('rate limits', () => {
    const take = (key: string, limit: RateLimit, now: number) => store().take(key, limit, now)

    const allowedOf = async (count: number, key: string, limit: RateLimit, now: number): Promise<number> => {
      const decisions = await atOnce(count, () => take(key, limit, now))
      return decisions.filter(({ allowed }) => allowed).length
    }

    it('allow exactly the burst of concurrent requests', async () => {
      expect(await allowedOf(60, aKey(), bursty, clockStart)).toBe(bursty.burst)
    })

    it('allow exactly the window of concurrent requests', async () => {
      expect(await allowedOf(40, aKey(), { burst: 20, refillMs: 1, windowMax: 15, windowMs: hours(1) }, clockStart)).toBe(15)
    })

    it('return the remaining requests and the time of the next one', async () => {
      const key = aKey()
      expect(await take(key, bursty, clockStart)).toStrictEqual({
        allowed: true,
        remaining: 19,
        resetMs: seconds(6),
        retryAfterMs: 0,
        refusedBy: undefined,
      })
      expect(await take(key, bursty, clockStart + seconds(1))).toStrictEqual({
        allowed: true,
        remaining: 18,
        resetMs: seconds(5),
        retryAfterMs: 0,
        refusedBy: undefined,
      })
    })

    it('refuse until the next refill, to the millisecond, and refusals cost nothing', async () => {
      const key = aKey()
      await allowedOf(20, key, bursty, clockStart)
      expect(await take(key, bursty, clockStart)).toStrictEqual({
        allowed: false,
        remaining: 0,
        resetMs: seconds(6),
        retryAfterMs: seconds(6),
        refusedBy: 'burst',
      })
      expect(await allowedOf(20, key, bursty, clockStart + seconds(6) - 1)).toBe(0)
      expect((await take(key, bursty, clockStart + seconds(6) - 1)).retryAfterMs).toBe(1)
      expect(await allowedOf(20, key, bursty, clockStart + seconds(6))).toBe(1)
    })

    it('allow no more than the burst after any pause', async () => {
      const key = aKey()
      await allowedOf(20, key, bursty, clockStart)
      expect(await allowedOf(40, key, bursty, clockStart + hours(2))).toBe(20)
    })

    it('have a sliding window, which each request leaves at its own time', async () => {
      const key = aKey()
      expect(await allowedOf(3, key, tight, clockStart)).toBe(3)
      expect(await allowedOf(3, key, tight, clockStart + 200)).toBe(2)
      expect(await take(key, tight, clockStart + 500)).toMatchObject({
        allowed: false,
        retryAfterMs: seconds(10) - 500,
        refusedBy: 'window',
      })
      expect(await allowedOf(9, key, tight, clockStart + seconds(10) - 1)).toBe(0)
      expect(await allowedOf(9, key, tight, clockStart + seconds(10))).toBe(3)
      expect(await allowedOf(9, key, tight, clockStart + seconds(10) + 199)).toBe(0)
      expect(await allowedOf(9, key, tight, clockStart + seconds(10) + 200)).toBe(2)
    })

    it('never allow more than the limit in any window', async () => {
      const key = aKey()
      const allowedAt: number[] = []
      for (let now = clockStart; now < clockStart + seconds(60); now += 250) {
        if ((await take(key, tight, now)).allowed) allowedAt.push(now)
      }
      for (const start of allowedAt) {
        const within = allowedAt.filter((instant) => instant >= start && instant < start + tight.windowMs)
        expect(within.length).toBeLessThanOrEqual(tight.windowMax)
      }
      expect(allowedAt.length).toBeGreaterThanOrEqual(30)
    })

    it('count each exact key separately', async () => {
      const once: RateLimit = { burst: 1, refillMs: minutes(1), windowMax: 60, windowMs: hours(1) }
      const prefix = aKey()
      const keys = hostileTexts.map((text) => `${prefix}:${text}`)
      for (const key of keys) expect((await take(key, once, clockStart)).allowed).toBe(true)
      for (const key of keys) expect((await take(key, once, clockStart)).allowed).toBe(false)
    })

    it.each([
      ['steps within the refill', { burst: 5, refillMs: 1000, windowMax: 100_000, windowMs: hours(1) }, 1500],
      ['a ceiling that binds', { burst: 8, refillMs: 100, windowMax: 12, windowMs: seconds(20) }, 2000],
      ['a ceiling below the burst', { burst: 10, refillMs: 100, windowMax: 4, windowMs: seconds(20) }, 6000],
      ['fits and starts', tight, 400],
    ])('decide every request like the arithmetic of the core: %s', async (_, limit, most) => {
      const key = aKey()
      let state: RateLimitState | undefined
      for (const now of instants(150, most)) {
        const { decision, next } = takeFromState(limit, state, now)
        state = next ?? state
        expect(await take(key, limit, now)).toStrictEqual(decision)
      }
    })

    describe('where the clock steps back', () => {
      it('allow no extra requests', async () => {
        const key = aKey()
        await allowedOf(20, key, bursty, clockStart)
        for (const step of [1, seconds(6), minutes(10), hours(1)]) {
          expect(await allowedOf(5, key, bursty, clockStart - step)).toBe(0)
        }
        expect(await allowedOf(5, key, bursty, clockStart - hours(1) + seconds(6))).toBe(1)
      })

      it('wait no longer than for one refill where a clock is far ahead', async () => {
        const key = aKey()
        await allowedOf(20, key, bursty, clockStart + minutes(10))
        expect(await take(key, bursty, clockStart)).toMatchObject({
          allowed: false,
          retryAfterMs: seconds(6),
          refusedBy: 'burst',
        })
        expect(await take(key, bursty, clockStart + seconds(2))).toMatchObject({ allowed: false, retryAfterMs: seconds(4) })
        expect((await take(key, bursty, clockStart + seconds(6))).allowed).toBe(true)
      })

      it('count a request of a clock far ahead once, as if it had been made now', async () => {
        const key = aKey()
        await take(key, bursty, clockStart + minutes(10))
        expect(await take(key, bursty, clockStart)).toMatchObject({ allowed: true, remaining: 18, retryAfterMs: 0 })
        const withWindow: RateLimit = { burst: 10, refillMs: 1, windowMax: 4, windowMs: hours(1) }
        const other = aKey()
        expect(await allowedOf(9, other, withWindow, clockStart + minutes(10))).toBe(4)
        expect(await take(other, withWindow, clockStart)).toMatchObject({ retryAfterMs: hours(1), refusedBy: 'window' })
      })

      it('stay exact between clocks that differ by a few seconds', async () => {
        const key = aKey()
        let allowed = 0
        for (let now = clockStart; now < clockStart + minutes(1); now += seconds(1)) {
          allowed += await allowedOf(2, key, bursty, now + seconds(5))
          allowed += await allowedOf(2, key, bursty, now)
        }
        // The burst, and a refill each six seconds.
        expect(allowed).toBeLessThanOrEqual(bursty.burst + 10)
      })

      it('empty the bucket where the stored time exceeds the capacity, as after a change of the limit', async () => {
        const key = aKey()
        const smaller: RateLimit = { ...bursty, burst: 2 }
        await allowedOf(20, key, bursty, clockStart)
        expect(await take(key, smaller, clockStart)).toMatchObject({ allowed: false, retryAfterMs: seconds(6) })
      })

      it('allow no extra requests in the window', async () => {
        const key = aKey()
        const ceilingOnly: RateLimit = { burst: 10, refillMs: 1, windowMax: 4, windowMs: hours(1) }
        expect(await allowedOf(9, key, ceilingOnly, clockStart)).toBe(4)
        for (const step of [1, seconds(1), minutes(10)]) {
          expect(await allowedOf(5, key, ceilingOnly, clockStart - step)).toBe(0)
        }
      })

      it('return the true time of the next request', async () => {
        const key = aKey()
        await allowedOf(20, key, bursty, clockStart)
        const now = clockStart - minutes(10)
        const { retryAfterMs } = await take(key, bursty, now)
        expect((await take(key, bursty, now + retryAfterMs - 1)).allowed).toBe(false)
        expect((await take(key, bursty, now + retryAfterMs)).allowed).toBe(true)
      })

      it('forget requests more than a window ahead, so that a clock jump blocks nobody', async () => {
        const key = aKey()
        await allowedOf(20, key, bursty, clockStart)
        expect(await allowedOf(40, key, bursty, clockStart - hours(5))).toBe(20)
        expect(await allowedOf(40, key, bursty, clockStart - hours(5) + seconds(6))).toBe(1)
      })
    })
  })
}
