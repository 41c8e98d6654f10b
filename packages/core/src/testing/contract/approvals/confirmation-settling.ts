import { describe, expect, it } from 'vitest'
import type { Confirmation } from '../../../approvals/confirmations/confirmation.ts'
import type { Settlement } from '../../../approvals/confirmations/store.ts'
import type { FullStorage } from '../../../storage.ts'
import { aConfirmation, aSealedField } from '../../builders.ts'
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

    it('stores the approval and its device', async () => {
      const { confirmation, approval, read } = await given()
      expect(await storage().confirmations.settle(approval)).toBe(true)
      expect(await read()).toStrictEqual(asSettled(confirmation, approval))
    })

    it('stores the rejection, with a reason or without', async () => {
      for (const rejectReason of [aSealedField(), null]) {
        const { confirmation, rejection, read } = await given()
        const settlement = { ...rejection, rejectReason }
        expect(await storage().confirmations.settle(settlement)).toBe(true)
        expect(await read()).toStrictEqual(asSettled(confirmation, settlement))
      }
    })

    it('succeeds once, and the first outcome stays', async () => {
      const { confirmations } = storage()
      const { confirmation, approval, rejection, read } = await given()
      await confirmations.settle(rejection)
      expect(await confirmations.settle({ ...approval, now: later + 1 })).toBe(false)
      expect(await confirmations.settle({ ...rejection, now: later + 1 })).toBe(false)
      expect(await read()).toStrictEqual(asSettled(confirmation, rejection))
    })

    it('succeeds for exactly one of concurrent approvals', async () => {
      const { approval } = await given()
      expect(tally(await atOnce(50, () => storage().confirmations.settle(approval)), true)).toBe(1)
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

    it('is possible for its user only, and changes no other confirmation', async () => {
      const { confirmations } = storage()
      const { approval, confirmation, read } = await given()
      const other = await given()
      expect(await confirmations.settle({ ...approval, userId: other.confirmation.userId })).toBe(false)
      expect(await confirmations.settle({ ...approval, id: aConfirmation().id })).toBe(false)
      expect(await read()).toStrictEqual(confirmation)
      await confirmations.settle(approval)
      expect(await other.read()).toStrictEqual(other.confirmation)
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

      it('still allows an approval below the limit', async () => {
        const { confirmations } = storage()
        const { confirmation, approval, read } = await given()
        await confirmations[count](confirmation.userId, confirmation.id, 5, later)
        expect(await confirmations.settle(approval)).toBe(true)
        expect(await read()).toMatchObject({ status: 'approved', [counter]: 1 })
      })

      it('counts every one of concurrent signatures', async () => {
        const { confirmation, read } = await given()
        const { userId, id } = confirmation
        await atOnce(50, () => storage().confirmations[count](userId, id, 60, later))
        expect(await read()).toMatchObject({ status: 'pending', [counter]: 50 })
      })

      it('counts none after the rejection, of concurrent signatures', async () => {
        const { confirmation, read } = await given()
        const { userId, id } = confirmation
        await atOnce(50, () => storage().confirmations[count](userId, id, 5, later))
        expect(await read()).toMatchObject({ status: 'rejected', [counter]: 5 })
      })

      it('does not change a settled or expired confirmation', async () => {
        const { confirmations } = storage()
        const settled = await given()
        await confirmations.settle(settled.approval)
        await confirmations[count](settled.confirmation.userId, settled.confirmation.id, 1, later + 1)
        expect(await settled.read()).toStrictEqual(asSettled(settled.confirmation, settled.approval))
        const { confirmation, read } = await given()
        await confirmations[count](confirmation.userId, confirmation.id, 1, confirmation.expiresAt)
        expect(await read()).toStrictEqual(confirmation)
      })

      it('is possible for its user only, and changes no other confirmation', async () => {
        const { confirmations } = storage()
        const [mine, other] = [await given(), await given()]
        await confirmations[count](other.confirmation.userId, mine.confirmation.id, 1, later)
        await confirmations[count](mine.confirmation.userId, aConfirmation().id, 1, later)
        expect(await mine.read()).toStrictEqual(mine.confirmation)
        await confirmations[count](mine.confirmation.userId, mine.confirmation.id, 1, later)
        expect(await other.read()).toStrictEqual(other.confirmation)
      })

      it('ends with one outcome, beside concurrent approvals', async () => {
        for (let round = 0; round < 5; round += 1) {
          const { confirmation, approval, read } = await given()
          const { userId, id } = confirmation
          const [approved] = await Promise.all([
            storage().confirmations.settle(approval),
            atOnce(10, () => storage().confirmations[count](userId, id, 5, later)),
          ])
          expect((await read())?.status).toBe(approved ? 'approved' : 'rejected')
        }
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
      for (let round = 0; round < 10; round += 1) {
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

  describe('a user with a locked account', () => {
    it('gets no confirmation', async () => {
      const user = await givenUser(storage())
      await storage().users.lock(user.id, later)
      expect(await storage().confirmations.initiate(aConfirmation({ userId: user.id }), 20)).toBe(false)
      await storage().users.unlock(user.id, later)
      expect(await storage().confirmations.initiate(aConfirmation({ userId: user.id }), 20)).toBe(true)
    })
  })
}
