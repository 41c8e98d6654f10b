import { describe, expect, it } from 'vitest'
import { type LoginCeiling, type LoginWaits, loginWaits } from '../../../identity/login-throttle/login-failures.ts'
import { days, minutes, seconds } from '../../../shared/clock.ts'
import { randomUuid, systemRandom } from '../../../shared/random.ts'
import type { FullStorage } from '../../../storage.ts'
import { failuresOf } from '../../failures-of.ts'
import { clockStart } from '../../fake-clock.ts'
import { atOnce, tally } from '../at-once.ts'

const account = () => `account-${randomUuid(systemRandom)}`

export const loginFailuresContract = (storage: () => FullStorage): void => {
  const reserve = (of: string, at = clockStart, waits: LoginWaits = loginWaits) => storage().loginFailures.reserve(of, waits, at)
  const giveBack = (of: string, at: number) => storage().loginFailures.giveBack(of, loginWaits, at)
  const afterFailures = async (count: number, at = clockStart): Promise<string> => {
    const mine = account()
    for (let failure = 0; failure < count; failure += 1) expect(await reserve(mine, at)).toBe(true)
    return mine
  }

  describe('login failures', () => {
    it('allow exactly the free number of concurrent attempts, and refused attempts change nothing', async () => {
      const mine = account()
      expect(tally(await atOnce(50, () => reserve(mine)), true)).toBe(20)
      expect(await failuresOf(storage(), mine)).toStrictEqual({ count: 20, lastAt: clockStart })
      expect(await reserve(mine, clockStart + seconds(30) - 1)).toBe(false)
      expect(await failuresOf(storage(), mine)).toStrictEqual({ count: 20, lastAt: clockStart })
    })

    it('allow exactly one of concurrent attempts after each wait', async () => {
      const mine = await afterFailures(20)
      let at = clockStart
      for (const [round, wait] of [30, 60, 120, 240, 480, 900, 900, 900].map(seconds).entries()) {
        at += wait
        expect(await atOnce(3, () => reserve(mine, at - 1))).toStrictEqual([false, false, false])
        expect(tally(await atOnce(20, () => reserve(mine, at)), true)).toBe(1)
        expect(await failuresOf(storage(), mine)).toStrictEqual({ count: 21 + round, lastAt: at })
      }
    })

    it('are given back one by one by concurrent callers, and never fall below zero', async () => {
      const { loginFailures } = storage()
      const mine = await afterFailures(20)
      await atOnce(4, () => giveBack(mine, clockStart))
      expect(await failuresOf({ loginFailures }, mine)).toMatchObject({ count: 16 })
      expect(tally(await atOnce(20, () => reserve(mine)), true)).toBe(4)
      await atOnce(40, () => giveBack(mine, clockStart))
      expect(await failuresOf({ loginFailures }, mine)).toBeUndefined()
      await giveBack(account(), clockStart)
    })

    it('are reset for a client that succeeds', async () => {
      const { loginFailures } = storage()
      const [mine, other] = [await afterFailures(1), await afterFailures(1)]
      await loginFailures.succeed(mine, clockStart, clockStart)
      await loginFailures.succeed(mine, clockStart, clockStart)
      expect(await failuresOf(storage(), mine)).toBeUndefined()
      expect(await failuresOf(storage(), other)).toStrictEqual({ count: 1, lastAt: clockStart })
      await reserve(mine, clockStart + 1)
      expect(await failuresOf(storage(), mine)).toStrictEqual({ count: 1, lastAt: clockStart + 1 })
    })

    it('do not block a client after the clock jumped ahead and back', async () => {
      const mine = await afterFailures(20)
      expect(await reserve(mine, clockStart - minutes(15))).toBe(false)
      expect(await reserve(mine, clockStart - minutes(15) - 1)).toBe(true)
    })
  })

  describe('known clients', () => {
    const until = clockStart + days(60)
    const knownUntil = async (client: string) => (await storage().loginFailures.of({ account: account(), client })).knownUntil

    it('can be remembered without a reset of their failures', async () => {
      const { loginFailures } = storage()
      const [mine, fresh] = [await afterFailures(3), account()]
      for (const client of [mine, fresh]) await loginFailures.remember(client, clockStart + 1, until)
      expect(await failuresOf(storage(), mine)).toStrictEqual({ count: 3, lastAt: clockStart })
      expect(await failuresOf(storage(), fresh)).toBeUndefined()
      expect([await knownUntil(mine), await knownUntil(fresh)]).toStrictEqual([until, until])
    })

    it('are all remembered, even if callers are concurrent', async () => {
      const { loginFailures } = storage()
      const mine = account()
      await atOnce(20, (index) => loginFailures[index % 2 === 0 ? 'remember' : 'succeed'](mine, clockStart, until))
      expect(await knownUntil(mine)).toBe(until)
    })
  })

  describe('the ceiling of an account', () => {
    const ceiling: LoginCeiling = { burst: 5, refillMs: seconds(60) }
    const take = (of: string, at = clockStart) => storage().loginFailures.takeFromCeiling(of, ceiling, at)
    const putBack = (of: string) => storage().loginFailures.giveBackToCeiling(of, ceiling)
    const takenAtOnce = async (count: number, of: string, at: number) => tally(await atOnce(count, () => take(of, at)), true)

    it('allows its burst of concurrent attempts, and one more after each refill', async () => {
      const mine = account()
      expect(await takenAtOnce(30, mine, clockStart)).toBe(5)
      expect(await take(mine, clockStart + seconds(60) - 1)).toBe(false)
      expect(await takenAtOnce(30, mine, clockStart + seconds(60))).toBe(1)
      expect(await takenAtOnce(30, mine, clockStart + seconds(240))).toBe(3)
      expect(await takenAtOnce(30, mine, clockStart + days(1))).toBe(5)
    })

    it('allows each attempt again that concurrent callers give back', async () => {
      const mine = account()
      await takenAtOnce(5, mine, clockStart)
      await atOnce(3, () => putBack(mine))
      expect(await takenAtOnce(30, mine, clockStart)).toBe(3)
      await putBack(account())
    })

    it('allows no extra attempts when the clock steps back, and recovers after the clock jumped ahead', async () => {
      const mine = account()
      await takenAtOnce(5, mine, clockStart)
      expect(await take(mine, clockStart - seconds(300))).toBe(false)
      expect(await takenAtOnce(30, mine, clockStart - seconds(300) - 1)).toBe(5)
    })
  })
}
