import { describe, expect, it } from 'vitest'
import { randomUuid, systemRandom } from '../../../shared/random.ts'
import type { FullStorage } from '../../../storage.ts'
import { clockStart } from '../../fake-clock.ts'
import { atOnce } from '../at-once.ts'
import { givenUser } from '../given.ts'

const [now, end] = [clockStart, clockStart + 10_000]

const aConfirmation = () => ({
  confirmationId: randomUuid(systemRandom),
  actionType: 'payment_approval',
  expiresAt: clockStart + 300_000,
})

export const pushWindowsContract = (storage: () => FullStorage): void => {
  describe('push windows', () => {
    it('say whether a user got a message after a given time', async () => {
      const { pushWindows } = storage()
      const { id } = await givenUser(storage())
      expect(await pushWindows.wasTold(id, now - 1)).toBe(false)
      await pushWindows.enter(id, aConfirmation(), now, end)
      expect([await pushWindows.wasTold(id, now), await pushWindows.wasTold(id, end)]).toEqual([true, false])
    })

    it('of a user are deleted, and those of other users stay', async () => {
      const { pushWindows } = storage()
      const [{ id }, other] = [await givenUser(storage()), await givenUser(storage())]
      for (const one of [id, other.id]) await pushWindows.enter(one, aConfirmation(), now, end)
      await storage().approvals.eraseAllOfUser(id)
      expect([await pushWindows.wasTold(id, now), await pushWindows.wasTold(other.id, now)]).toEqual([false, true])
    })

    it('begin with the first confirmation, and make the next ones wait until the end', async () => {
      const { pushWindows } = storage()
      const { id } = await givenUser(storage())
      const first = aConfirmation()
      expect(await pushWindows.enter(id, first, now, end)).toStrictEqual({ ...first, count: 1, windowEndsAt: end })
      expect(await pushWindows.enter(id, aConfirmation(), now, end)).toStrictEqual({ windowEndsAt: end, waiting: 1 })
      const newest = aConfirmation()
      expect(await pushWindows.enter(id, newest, end - 1, end + 9999)).toStrictEqual({ windowEndsAt: end, waiting: 2 })
      expect(await pushWindows.end(id, end, end, end + 10_000)).toStrictEqual({
        ...newest,
        count: 2,
        windowEndsAt: end + 10_000,
      })
      expect(await pushWindows.enter(id, aConfirmation(), end + 1, end + 10_001)).toStrictEqual({
        windowEndsAt: end + 10_000,
        waiting: 1,
      })
    })

    it('are begun by one of 50 concurrent confirmations, and count the others', async () => {
      const { pushWindows } = storage()
      const { id } = await givenUser(storage())
      const entered = await atOnce(50, () => pushWindows.enter(id, aConfirmation(), now, end))
      expect(entered.filter((one) => 'count' in one)).toHaveLength(1)
      const waiting = entered.flatMap((one) => ('waiting' in one ? [one.waiting] : []))
      expect(waiting.sort((a, b) => a - b)).toStrictEqual(Array.from({ length: 49 }, (_, index) => index + 1))
      const ended = await atOnce(20, () => pushWindows.end(id, end, end, end + 10_000))
      expect(ended.filter((one) => one !== undefined)).toMatchObject([{ count: 49 }])
    })
  })
}
