import { describe, expect, it } from 'vitest'
import { type LoginCeiling, type LoginWaits, loginWaits } from '../../../identity/login/login-failures.ts'
import { days, minutes, seconds } from '../../../shared/clock.ts'
import { randomUuid, systemRandom } from '../../../shared/random.ts'
import type { FullStorage } from '../../../storage.ts'
import { noWaits } from '../../builders.ts'
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
    it('are undefined at first', async () => {
      expect(await failuresOf(storage(), account())).toBeUndefined()
    })

    it('are counted by client, with the time of the last failure', async () => {
      const { loginFailures } = storage()
      const [mine, other] = [account(), account()]
      expect(await reserve(mine)).toBe(true)
      expect(await reserve(other, clockStart + 5)).toBe(true)
      expect(await reserve(mine, clockStart + 10)).toBe(true)
      expect(await failuresOf({ loginFailures }, mine)).toStrictEqual({ count: 2, lastAt: clockStart + 10 })
      expect(await failuresOf({ loginFailures }, other)).toStrictEqual({ count: 1, lastAt: clockStart + 5 })
    })

    it('are all counted when concurrent attempts need not wait', async () => {
      const mine = account()
      expect(tally(await atOnce(50, () => reserve(mine, clockStart, noWaits)), true)).toBe(50)
      expect(await failuresOf(storage(), mine)).toStrictEqual({ count: 50, lastAt: clockStart })
    })

    it('are exactly the free attempts of concurrent ones, and refused attempts change nothing', async () => {
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

    it('can be given back, and the client is as free as before', async () => {
      const { loginFailures } = storage()
      const [one, many] = [await afterFailures(1), await afterFailures(20)]
      await giveBack(one, clockStart)
      expect(await failuresOf({ loginFailures }, one)).toBeUndefined()
      expect(await reserve(one, clockStart + 1)).toBe(true)
      expect(await failuresOf({ loginFailures }, one)).toStrictEqual({ count: 1, lastAt: clockStart + 1 })

      const waited = clockStart + seconds(30)
      expect(await reserve(many, waited)).toBe(true)
      await giveBack(many, waited)
      expect(await failuresOf({ loginFailures }, many)).toMatchObject({ count: 20 })
      expect(await reserve(many, waited)).toBe(true)
      expect(await reserve(many, waited + seconds(60) - 1)).toBe(false)
    })

    it('are given back one by one by concurrent callers, and never below zero', async () => {
      const { loginFailures } = storage()
      const mine = await afterFailures(20)
      await atOnce(4, () => giveBack(mine, clockStart))
      expect(await failuresOf({ loginFailures }, mine)).toMatchObject({ count: 16 })
      expect(tally(await atOnce(20, () => reserve(mine)), true)).toBe(4)
      await atOnce(40, () => giveBack(mine, clockStart))
      expect(await failuresOf({ loginFailures }, mine)).toBeUndefined()
      await giveBack(account(), clockStart)
    })

    it('keep the time of a later failure when an earlier one is given back', async () => {
      const mine = await afterFailures(1)
      await reserve(mine, clockStart + 5)
      await giveBack(mine, clockStart)
      expect(await failuresOf(storage(), mine)).toStrictEqual({ count: 1, lastAt: clockStart + 5 })
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

    it('do not exist at first, also after failures', async () => {
      expect(await knownUntil(await afterFailures(3))).toBe(0)
    })

    it('are clients that succeeded, also after later failures', async () => {
      const { loginFailures } = storage()
      const [mine, fresh] = [await afterFailures(3), account()]
      for (const client of [mine, fresh]) await loginFailures.succeed(client, clockStart, until)
      expect(await failuresOf(storage(), mine)).toBeUndefined()
      expect(await reserve(mine)).toBe(true)
      await giveBack(mine, clockStart)
      expect([await knownUntil(mine), await knownUntil(fresh)]).toStrictEqual([until, until])
    })

    it('can be remembered without a reset of their failures', async () => {
      const { loginFailures } = storage()
      const [mine, fresh] = [await afterFailures(3), account()]
      for (const client of [mine, fresh]) await loginFailures.remember(client, clockStart + 1, until)
      expect(await failuresOf(storage(), mine)).toStrictEqual({ count: 3, lastAt: clockStart })
      expect(await failuresOf(storage(), fresh)).toBeUndefined()
      expect([await knownUntil(mine), await knownUntil(fresh)]).toStrictEqual([until, until])
    })

    it('are all remembered, of concurrent callers', async () => {
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

    it('is returned with the failures of a client, by account', async () => {
      const [mine, other] = [account(), account()]
      const fullAt = async (of: string) => (await storage().loginFailures.of({ account: of, client: of })).ceilingFullAt
      for (let time = 0; time < 3; time += 1) await take(mine)
      expect([await fullAt(mine), await fullAt(other)]).toStrictEqual([clockStart + seconds(180), 0])
      expect(await failuresOf(storage(), mine)).toBeUndefined()
    })

    it('gets back each attempt that concurrent callers give back', async () => {
      const mine = account()
      await takenAtOnce(5, mine, clockStart)
      await atOnce(3, () => putBack(mine))
      expect(await takenAtOnce(30, mine, clockStart)).toBe(3)
      await putBack(account())
    })

    it('never allows more than its burst', async () => {
      const mine = account()
      await take(mine)
      for (let time = 0; time < 9; time += 1) await putBack(mine)
      expect(await takenAtOnce(30, mine, clockStart)).toBe(5)
    })

    it('allows no extra attempts when the clock steps back, and recovers after the clock jumped ahead', async () => {
      const mine = account()
      await takenAtOnce(5, mine, clockStart)
      expect(await take(mine, clockStart - seconds(300))).toBe(false)
      expect(await takenAtOnce(30, mine, clockStart - seconds(300) - 1)).toBe(5)
    })
  })
}
