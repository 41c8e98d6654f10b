import { describe, expect, it } from 'vitest'
import { takeFromState } from '../../../identity/rate-limits/bucket.ts'
import { defaultRateLimits } from '../../../identity/rate-limits/limits.ts'
import type { RateLimit, RateLimitState, RateLimitStore } from '../../../identity/rate-limits/store.ts'
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

/** Returns a list of instants that is the same in every run, with steps of `back ≤ step < most` ms. Some instants repeat. */
const instants = (count: number, most: number, back: number): number[] => {
  const trace: number[] = []
  let state = 42
  let now = clockStart
  for (let index = 0; index < count; index += 1) {
    // The linear congruential generator of the `rand` example in ISO C.
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff
    const step = ((state >> 8) % (2 * most)) - most
    now += Math.max(back, step)
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

    it('allow exactly as many concurrent requests as the burst', async () => {
      expect(await allowedOf(60, aKey(), bursty, clockStart)).toBe(bursty.burst)
    })

    it('allow exactly as many concurrent requests as the window', async () => {
      expect(await allowedOf(40, aKey(), { burst: 20, refillMs: 1, windowMax: 15, windowMs: hours(1) }, clockStart)).toBe(15)
    })

    it('can be read without counting a request', async () => {
      const key = aKey()
      expect(await store().read(key)).toBe(undefined)
      await take(key, bursty, clockStart)
      await take(key, bursty, clockStart + seconds(1))
      for (let time = 0; time < 2; time += 1) {
        expect(await store().read(key)).toStrictEqual({
          fullAt: clockStart + seconds(12),
          allowedAt: [clockStart, clockStart + seconds(1)],
        })
      }
      expect((await take(key, bursty, clockStart + seconds(1))).remaining).toBe(17)
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
      ['a clock that steps back within the tolerance', tight, 400, -300],
      ['a clock that leaps back', tight, 60_000, -60_000],
    ])('decide every request as the arithmetic of the core does: %s', async (_, limit, most, back = 0) => {
      const key = aKey()
      let state: RateLimitState | undefined
      for (const now of instants(150, most, back)) {
        const { decision, next } = takeFromState(limit, state, now)
        state = next ?? state
        expect(await take(key, limit, now)).toStrictEqual(decision)
      }
    })
  })
}
