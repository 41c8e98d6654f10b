import { describe, expect, it } from 'vitest'
import type { Vouching } from '../../../approvals/records/vouching.ts'
import { randomUuid, systemRandom } from '../../../shared/random.ts'
import type { FullStorage } from '../../../storage.ts'
import { aConfirmation } from '../../builders.ts'
import { clockStart } from '../../fake-clock.ts'
import { givenUser } from '../given.ts'

export const vouchingsContract = (storage: () => FullStorage): void => {
  describe('vouchings', () => {
    const aVouching = (userId: number, overrides: Partial<Vouching> = {}): Vouching => ({
      userId,
      kind: 'device',
      subjectId: randomUuid(systemRandom),
      registeredBy: randomUuid(systemRandom),
      confirmationId: aConfirmation().id,
      startedByRegistration: true,
      restarts: 2,
      restartsSince: clockStart + 1,
      createdAt: clockStart,
      ...overrides,
    })

    it('are found by their confirmation and by their subject, for their user only', async () => {
      const { vouchings } = storage()
      const [user, other] = [await givenUser(storage()), await givenUser(storage())]
      const vouching = aVouching(user.id, { registeredBy: null })
      await vouchings.put(vouching)
      expect(await vouchings.find({ userId: user.id, confirmationId: vouching.confirmationId ?? '' })).toStrictEqual(vouching)
      expect(await vouchings.find({ userId: other.id, confirmationId: vouching.confirmationId ?? '' })).toBeUndefined()
      expect(await vouchings.find(vouching)).toStrictEqual(vouching)
      expect(await vouchings.find({ ...vouching, kind: 'passkey' })).toBeUndefined()
      expect(await vouchings.find({ ...vouching, userId: other.id })).toBeUndefined()
    })

    it('replace the vouching of the same subject, whose confirmation then decides nothing', async () => {
      const { vouchings } = storage()
      const user = await givenUser(storage())
      const first = aVouching(user.id)
      const second = { ...first, confirmationId: aConfirmation().id, createdAt: clockStart + 5, startedByRegistration: false }
      await vouchings.put(first)
      await vouchings.put(second)
      expect(await vouchings.find({ userId: user.id, confirmationId: first.confirmationId ?? '' })).toBeUndefined()
      expect(await vouchings.find(first)).toStrictEqual(second)
    })
  })
}
