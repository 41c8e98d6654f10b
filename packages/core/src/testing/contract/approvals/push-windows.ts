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
    it('begin with the first confirmation, and let the next ones wait until the end', async () => {
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

    it('end at their time: a confirmation at that time begins the next one', async () => {
      const { pushWindows } = storage()
      const { id } = await givenUser(storage())
      await pushWindows.enter(id, aConfirmation(), now, end)
      const next = aConfirmation()
      expect(await pushWindows.enter(id, next, end, end + 10_000)).toStrictEqual({
        ...next,
        count: 1,
        windowEndsAt: end + 10_000,
      })
    })

    it('of different users are independent', async () => {
      const { pushWindows } = storage()
      const [user, other] = [await givenUser(storage()), await givenUser(storage())]
      await pushWindows.enter(user.id, aConfirmation(), now, end)
      expect(await pushWindows.enter(other.id, aConfirmation(), now, end)).toMatchObject({ count: 1 })
      expect(await pushWindows.end(other.id, end, end, end + 1)).toBeUndefined()
    })

    it('end early if nothing was sent: the next confirmation does not wait', async () => {
      const { pushWindows } = storage()
      const { id } = await givenUser(storage())
      await pushWindows.enter(id, aConfirmation(), now, end)
      expect(await pushWindows.end(id, end, now + 5, now + 10_005)).toBeUndefined()
      expect(await pushWindows.enter(id, aConfirmation(), now + 5, end)).toMatchObject({ count: 1 })
    })

    it('are not ended by a call for another window', async () => {
      const { pushWindows } = storage()
      const { id } = await givenUser(storage())
      await pushWindows.enter(id, aConfirmation(), now, end)
      await pushWindows.enter(id, aConfirmation(), now, end)
      expect(await pushWindows.end(id, end - 1, end, end + 1)).toBeUndefined()
      expect(await pushWindows.enter(id, aConfirmation(), now, end)).toStrictEqual({ windowEndsAt: end, waiting: 2 })
    })

    it('tell later of confirmations that a server left waiting', async () => {
      const { pushWindows } = storage()
      const { id } = await givenUser(storage())
      for (let index = 0; index < 3; index += 1) await pushWindows.enter(id, aConfirmation(), now, end)
      const next = aConfirmation()
      expect(await pushWindows.enter(id, next, end + 60_000, end + 70_000)).toMatchObject({ ...next, count: 3 })
      expect(await pushWindows.end(id, end, end + 60_000, end + 70_000)).toBeUndefined()
    })

    it('let one of 50 concurrent confirmations begin, and count the others', async () => {
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
