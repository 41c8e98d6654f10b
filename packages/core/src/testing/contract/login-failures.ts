import { describe, expect, it } from 'vitest'
import { randomUuid, systemRandom } from '../../ports/random.ts'
import type { Storage } from '../../ports/storage.ts'
import { clockStart } from '../fake-clock.ts'
import { atOnce } from './at-once.ts'

const account = () => `account-${randomUuid(systemRandom)}`

export const loginFailuresContract = (storage: () => Storage): void => {
  describe('login failures', () => {
    it('are undefined where there were none', async () => {
      expect(await storage().loginFailures.of(account())).toBeUndefined()
    })

    it('are counted by account, with the time of the last', async () => {
      const { loginFailures } = storage()
      const [mine, other] = [account(), account()]
      await loginFailures.add(mine, clockStart)
      await loginFailures.add(other, clockStart + 5)
      await loginFailures.add(mine, clockStart + 10)
      expect(await loginFailures.of(mine)).toStrictEqual({ count: 2, lastAt: clockStart + 10 })
      expect(await loginFailures.of(other)).toStrictEqual({ count: 1, lastAt: clockStart + 5 })
    })

    it('are all counted, of any number at once', async () => {
      const { loginFailures } = storage()
      const mine = account()
      await atOnce(50, () => loginFailures.add(mine, clockStart))
      expect(await loginFailures.of(mine)).toStrictEqual({ count: 50, lastAt: clockStart })
    })

    it('are cleared for one account, and counted anew', async () => {
      const { loginFailures } = storage()
      const [mine, other] = [account(), account()]
      await loginFailures.add(mine, clockStart)
      await loginFailures.add(other, clockStart)
      await loginFailures.clear(mine)
      await loginFailures.clear(mine)
      expect(await loginFailures.of(mine)).toBeUndefined()
      expect(await loginFailures.of(other)).toStrictEqual({ count: 1, lastAt: clockStart })
      await loginFailures.add(mine, clockStart + 1)
      expect(await loginFailures.of(mine)).toStrictEqual({ count: 1, lastAt: clockStart + 1 })
    })
  })
}
