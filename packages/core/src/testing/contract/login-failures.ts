import { describe, expect, it } from 'vitest'
import { type LoginWaits, loginWaits } from '../../auth/login-failures.ts'
import { seconds } from '../../ports/clock.ts'
import { randomUuid, systemRandom } from '../../ports/random.ts'
import type { Storage } from '../../ports/storage.ts'
import { noWaits } from '../builders.ts'
import { clockStart } from '../fake-clock.ts'
import { atOnce, tally } from './at-once.ts'

const account = () => `account-${randomUuid(systemRandom)}`

export const loginFailuresContract = (storage: () => Storage): void => {
  const reserve = (of: string, at = clockStart, waits: LoginWaits = loginWaits) => storage().loginFailures.reserve(of, waits, at)
  const giveBack = (of: string, at: number) => storage().loginFailures.giveBack(of, loginWaits, at)
  const afterFailures = async (count: number, at = clockStart): Promise<string> => {
    const mine = account()
    for (let failure = 0; failure < count; failure += 1) expect(await reserve(mine, at)).toBe(true)
    return mine
  }

  describe('login failures', () => {
    it('are undefined where there were none', async () => {
      expect(await storage().loginFailures.of(account())).toBeUndefined()
    })

    it('are counted by account, with the time of the last', async () => {
      const { loginFailures } = storage()
      const [mine, other] = [account(), account()]
      expect(await reserve(mine)).toBe(true)
      expect(await reserve(other, clockStart + 5)).toBe(true)
      expect(await reserve(mine, clockStart + 10)).toBe(true)
      expect(await loginFailures.of(mine)).toStrictEqual({ count: 2, lastAt: clockStart + 10 })
      expect(await loginFailures.of(other)).toStrictEqual({ count: 1, lastAt: clockStart + 5 })
    })

    it('are all counted, of any number at once that need not wait', async () => {
      const mine = account()
      expect(tally(await atOnce(50, () => reserve(mine, clockStart, noWaits)), true)).toBe(50)
      expect(await storage().loginFailures.of(mine)).toStrictEqual({ count: 50, lastAt: clockStart })
    })

    it('are as many as are free, of any number at once, and those that must wait change nothing', async () => {
      const mine = account()
      expect(tally(await atOnce(50, () => reserve(mine)), true)).toBe(10)
      expect(await storage().loginFailures.of(mine)).toStrictEqual({ count: 10, lastAt: clockStart })
      expect(await reserve(mine, clockStart + seconds(30) - 1)).toBe(false)
      expect(await storage().loginFailures.of(mine)).toStrictEqual({ count: 10, lastAt: clockStart })
    })

    it('are one more after each wait, of any number at once', async () => {
      const mine = await afterFailures(10)
      let at = clockStart
      for (const [round, wait] of [30, 60, 120, 240, 480, 900, 900, 900].map(seconds).entries()) {
        at += wait
        expect(await atOnce(3, () => reserve(mine, at - 1))).toStrictEqual([false, false, false])
        expect(tally(await atOnce(20, () => reserve(mine, at)), true)).toBe(1)
        expect(await storage().loginFailures.of(mine)).toStrictEqual({ count: 11 + round, lastAt: at })
      }
    })

    it('are given back as if they had not been: the account is as free as before', async () => {
      const { loginFailures } = storage()
      const [one, many] = [await afterFailures(1), await afterFailures(10)]
      await giveBack(one, clockStart)
      expect(await loginFailures.of(one)).toBeUndefined()
      expect(await reserve(one, clockStart + 1)).toBe(true)
      expect(await loginFailures.of(one)).toStrictEqual({ count: 1, lastAt: clockStart + 1 })

      const waited = clockStart + seconds(30)
      expect(await reserve(many, waited)).toBe(true)
      await giveBack(many, waited)
      expect(await loginFailures.of(many)).toMatchObject({ count: 10 })
      expect(await reserve(many, waited)).toBe(true)
      expect(await reserve(many, waited + seconds(60) - 1)).toBe(false)
    })

    it('are given back one each, of any number at once, and never more than there are', async () => {
      const { loginFailures } = storage()
      const mine = await afterFailures(10)
      await atOnce(4, () => giveBack(mine, clockStart))
      expect(await loginFailures.of(mine)).toMatchObject({ count: 6 })
      expect(tally(await atOnce(20, () => reserve(mine)), true)).toBe(4)
      await atOnce(20, () => giveBack(mine, clockStart))
      expect(await loginFailures.of(mine)).toBeUndefined()
      await giveBack(account(), clockStart)
    })

    it('leave a later one its time where an earlier one is given back', async () => {
      const mine = await afterFailures(1)
      await reserve(mine, clockStart + 5)
      await giveBack(mine, clockStart)
      expect(await storage().loginFailures.of(mine)).toStrictEqual({ count: 1, lastAt: clockStart + 5 })
    })

    it('are cleared for one account, and counted anew', async () => {
      const { loginFailures } = storage()
      const [mine, other] = [await afterFailures(1), await afterFailures(1)]
      await loginFailures.clear(mine)
      await loginFailures.clear(mine)
      expect(await loginFailures.of(mine)).toBeUndefined()
      expect(await loginFailures.of(other)).toStrictEqual({ count: 1, lastAt: clockStart })
      await reserve(mine, clockStart + 1)
      expect(await loginFailures.of(mine)).toStrictEqual({ count: 1, lastAt: clockStart + 1 })
    })
  })
}
