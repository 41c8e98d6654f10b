import { describe, expect, it } from 'vitest'
import type { Confirmation, Settlement } from '../../../approvals/records/confirmation.ts'
import type { FullStorage } from '../../../storage.ts'
import { aSealedField } from '../../builders.ts'
import { clockStart } from '../../fake-clock.ts'
import { atOnce, tally } from '../at-once.ts'
import { givenConfirmation, givenDevice, givenUser } from '../given.ts'

const later = clockStart + 1234

export const confirmationSettlingContract = (storage: () => FullStorage): void => {
  describe('settling a confirmation', () => {
    const given = async () => {
      const user = await givenUser(storage())
      const device = await givenDevice(storage(), { userId: user.id })
      const confirmation = await givenConfirmation(storage(), { userId: user.id })
      const of = { id: confirmation.id, userId: user.id, now: later }
      const approval: Settlement = { ...of, outcome: 'approved', deviceId: device.id, rejectReason: null }
      const rejection: Settlement = { ...of, outcome: 'rejected', deviceId: null, rejectReason: aSealedField() }
      const read = () => storage().confirmations.ofUser(user.id, confirmation.id)
      return { confirmation, approval, rejection, read }
    }

    const asSettled = (confirmation: Confirmation, { outcome, deviceId, rejectReason, now }: Settlement): Confirmation => ({
      ...confirmation,
      status: outcome,
      deviceId,
      rejectReason,
      updatedAt: now,
    })

    it('stores the rejection, with a reason or without', async () => {
      for (const rejectReason of [aSealedField(), null]) {
        const { confirmation, rejection, read } = await given()
        const settlement = { ...rejection, rejectReason }
        expect(await storage().confirmations.settle(settlement)).toBe(true)
        expect(await read()).toStrictEqual(asSettled(confirmation, settlement))
      }
    })

    it('succeeds for exactly one of concurrent approvals and rejections, whose outcome is stored', async () => {
      for (let round = 0; round < 5; round += 1) {
        const { confirmation, approval, rejection, read } = await given()
        const settlements = Array.from({ length: 50 }, (_, index) => (index % 2 === round % 2 ? approval : rejection))
        const outcomes = await Promise.all(settlements.map((settlement) => storage().confirmations.settle(settlement)))
        expect(tally(outcomes, true)).toBe(1)
        const winner = settlements[outcomes.indexOf(true)] ?? approval
        expect(await read()).toStrictEqual(asSettled(confirmation, winner))
      }
    })

    it('is possible before `expiresAt`, and not from that millisecond on', async () => {
      const { confirmations } = storage()
      const { confirmation, approval, rejection, read } = await given()
      const { expiresAt } = confirmation
      expect(await confirmations.settle({ ...approval, now: expiresAt })).toBe(false)
      expect(await confirmations.settle({ ...rejection, now: expiresAt + 1 })).toBe(false)
      expect(await read()).toStrictEqual(confirmation)
      expect(await confirmations.settle({ ...approval, now: expiresAt - 1 })).toBe(true)
    })

    describe.each([
      ['wrong signature', 'countWrongSignature', 'wrongSignatures'],
      ['wrong number', 'countWrongMatchNumber', 'wrongMatchNumbers'],
    ] as const)('counting a %s', (_, count, counter) => {
      it('counts each, and rejects the confirmation at the limit', async () => {
        const { confirmations } = storage()
        const { confirmation, approval, read } = await given()
        const { userId, id } = confirmation
        await confirmations[count](userId, id, 3, later)
        await confirmations[count](userId, id, 3, later)
        expect(await read()).toMatchObject({ status: 'pending', [counter]: 2 })
        await confirmations[count](userId, id, 3, later + 1)
        expect(await read()).toMatchObject({ status: 'rejected', [counter]: 3, deviceId: null, updatedAt: later + 1 })
        expect(await confirmations.settle(approval)).toBe(false)
      })

      it('counts none after the rejection, of concurrent signatures', async () => {
        const { confirmation, read } = await given()
        const { userId, id } = confirmation
        await atOnce(50, () => storage().confirmations[count](userId, id, 5, later))
        expect(await read()).toMatchObject({ status: 'rejected', [counter]: 5 })
      })
    })
  })

  describe('rejecting all confirmations of a user', () => {
    it('rejects those that are pending, and no other', async () => {
      const { confirmations } = storage()
      const [user, other] = [await givenUser(storage()), await givenUser(storage())]
      const pending = [
        await givenConfirmation(storage(), { userId: user.id }),
        await givenConfirmation(storage(), { userId: user.id }),
      ]
      const expired = await givenConfirmation(storage(), { userId: user.id, expiresAt: later })
      const foreign = await givenConfirmation(storage(), { userId: other.id })
      const approved = await givenConfirmation(storage(), { userId: user.id })
      const of = { id: approved.id, userId: user.id, deviceId: null, rejectReason: null }
      await confirmations.settle({ ...of, outcome: 'approved', now: later })
      expect(await confirmations.rejectAllOfUser(user.id, later)).toBe(2)
      for (const confirmation of pending) {
        expect(await confirmations.ofUser(user.id, confirmation.id)).toStrictEqual({
          ...confirmation,
          status: 'rejected',
          updatedAt: later,
        })
      }
      expect(await confirmations.ofUser(user.id, expired.id)).toStrictEqual(expired)
      expect(await confirmations.ofUser(other.id, foreign.id)).toStrictEqual(foreign)
      expect(await confirmations.ofUser(user.id, approved.id)).toMatchObject({ status: 'approved' })
    })

    it('has one winner against settling one of them', async () => {
      const user = await givenUser(storage())
      for (let round = 0; round < 5; round += 1) {
        const { id } = await givenConfirmation(storage(), { userId: user.id })
        const of = { id, userId: user.id, deviceId: null, rejectReason: null, now: later }
        const [approved, rejected] = await Promise.all([
          storage().confirmations.settle({ ...of, outcome: 'approved' }),
          storage().confirmations.rejectAllOfUser(user.id, later),
        ])
        expect(Number(approved) + rejected).toBe(1)
        const settled = await storage().confirmations.ofUser(user.id, id)
        expect(settled?.status).toBe(approved ? 'approved' : 'rejected')
      }
    })
  })
}
