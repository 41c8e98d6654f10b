import { describe, expect, it } from 'vitest'
import type { RateLimit, RateLimitStore } from '../../../identity/rate-limits/store.ts'
import { hours, seconds } from '../../../shared/clock.ts'
import { randomUuid, systemRandom } from '../../../shared/random.ts'
import { clockStart } from '../../fake-clock.ts'
import { atOnce } from '../at-once.ts'

const aKey = () => `authentication:key-${randomUuid(systemRandom)}`

/** A burst of three, one more every second, and four in a minute. */
const limit: RateLimit = { burst: 3, refillMs: seconds(1), windowMax: 4, windowMs: seconds(60) }

/** A limit that no trace of these tests reaches. `remaining` and `resetMs` still show the state of the bucket. */
const wide: RateLimit = { burst: 500, refillMs: 40, windowMax: 500, windowMs: hours(1) }

export const rateLimitsGivenBackContract = (store: () => RateLimitStore): void => {
  describe('rate limits whose requests are given back', () => {
    const take = (key: string, now: number, of = limit) => store().take(key, of, now)
    const giveBack = (key: string, takenAt: number, of = limit) => store().giveBack(key, of, takenAt)
    const allowedOf = async (count: number, key: string, now: number) => {
      const decisions = await atOnce(count, () => take(key, now))
      return decisions.filter(({ allowed }) => allowed).length
    }

    it('allow one more request for each that is given back, and no more', async () => {
      const key = aKey()
      expect(await allowedOf(9, key, clockStart)).toBe(3)
      await giveBack(key, clockStart)
      expect(await allowedOf(9, key, clockStart + 1)).toBe(1)
      await giveBack(key, clockStart + 1)
      await giveBack(key, clockStart)
      expect(await allowedOf(9, key, clockStart + 2)).toBe(2)
    })

    it('give nothing back for a request that was never allowed, that was given back before, or of another key', async () => {
      const [key, other] = [aKey(), aKey()]
      await giveBack(key, clockStart)
      await allowedOf(3, key, clockStart)
      await take(key, clockStart + 1)
      await giveBack(key, clockStart + 1)
      await giveBack(other, clockStart)
      expect(await allowedOf(9, key, clockStart + 1)).toBe(0)
      await giveBack(key, clockStart)
      for (let again = 0; again < 9; again += 1) await giveBack(key, clockStart - 1)
      expect(await allowedOf(9, key, clockStart + 1)).toBe(1)
    })

    it('are as if the request had never been made, in every order of requests and returns', async () => {
      let state = 7
      const next = (below: number) => {
        // The linear congruential generator of the `rand` example in ISO C.
        state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff
        return (state >> 8) % below
      }
      for (let round = 0; round < 6; round += 1) {
        const [key, reference] = [aKey(), aKey()]
        let now = clockStart
        const given: number[] = []
        for (let request = 0; request < 25; request += 1) {
          // Each instant is another, so that the given request is the same in every store.
          now += 1 + next(90)
          await take(key, now, wide)
          if (next(3) === 0) given.push(now)
          else await take(reference, now, wide)
          if (next(4) === 0) for (const takenAt of given.splice(next(given.length + 1))) await giveBack(key, takenAt, wide)
        }
        for (const takenAt of given) await giveBack(key, takenAt, wide)
        expect(await take(key, now + 1, wide)).toStrictEqual(await take(reference, now + 1, wide))
      }
    })

    it('are counted exactly if requests are made and given back at the same time', async () => {
      const key = aKey()
      await atOnce(40, () => take(key, clockStart, wide))
      await atOnce(
        60,
        (index): Promise<unknown> => (index % 3 === 0 ? take(key, clockStart, wide) : giveBack(key, clockStart, wide)),
      )
      // 60 requests were made, and 40 given back.
      expect(await take(key, clockStart, wide)).toMatchObject({ remaining: wide.burst - 60 + 40 - 1 })
    })
  })
}
