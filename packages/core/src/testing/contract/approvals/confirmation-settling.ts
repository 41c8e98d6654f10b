import { describe, expect, it } from 'vitest'
import type { ConfirmationWithdrawal, Settlement } from '../../../approvals/records/approval.ts'
import type { Confirmation } from '../../../approvals/records/confirmation.ts'
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
      const read = () => storage().confirmations.byId(confirmation.id)
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
        expect(await storage().approvals.settle(settlement)).toBe(true)
        expect(await read()).toStrictEqual(asSettled(confirmation, settlement))
      }
    })

    it('succeeds for exactly one of concurrent approvals and rejections, whose outcome is stored', async () => {
      for (let round = 0; round < 5; round += 1) {
        const { confirmation, approval, rejection, read } = await given()
        const settlements = Array.from({ length: 50 }, (_, index) => (index % 2 === round % 2 ? approval : rejection))
        const outcomes = await Promise.all(settlements.map((settlement) => storage().approvals.settle(settlement)))
        expect(tally(outcomes, true)).toBe(1)
        const winner = settlements[outcomes.indexOf(true)] ?? approval
        expect(await read()).toStrictEqual(asSettled(confirmation, winner))
      }
    })

    it('is possible before `expiresAt`, and not from that millisecond on', async () => {
      const { approvals } = storage()
      const { confirmation, approval, rejection, read } = await given()
      const { expiresAt } = confirmation
      expect(await approvals.settle({ ...approval, now: expiresAt })).toBe(false)
      expect(await approvals.settle({ ...rejection, now: expiresAt + 1 })).toBe(false)
      expect(await read()).toStrictEqual(confirmation)
      expect(await approvals.settle({ ...approval, now: expiresAt - 1 })).toBe(true)
    })

    describe.each([
      ['wrong signature', 'wrongSignatures'],
      ['wrong number', 'wrongMatchNumbers'],
    ] as const)('counting a %s', (_, counter) => {
      const count = ({ userId, id }: Confirmation, limit: number, now = later) =>
        storage().confirmations.countWrong({ userId, id, counter, limit, now })

      it('counts each attempt, and rejects the confirmation at the limit', async () => {
        const { confirmation, approval, read } = await given()
        for (let wrong = 0; wrong < 2; wrong += 1) expect(await count(confirmation, 3)).toBe(false)
        expect(await read()).toMatchObject({ status: 'pending', [counter]: 2 })
        expect(await count(confirmation, 3, later + 1)).toBe(true)
        expect(await read()).toMatchObject({ status: 'rejected', [counter]: 3, deviceId: null, updatedAt: later + 1 })
        expect(await storage().approvals.settle(approval)).toBe(false)
      })

      it('counts no concurrent attempt after the rejection', async () => {
        const { confirmation, read } = await given()
        const outcomes = await atOnce(50, () => count(confirmation, 5))
        expect(outcomes.filter(Boolean)).toHaveLength(1)
        expect(await read()).toMatchObject({ status: 'rejected', [counter]: 5 })
      })
    })
  })

  describe('withdrawing a confirmation', () => {
    const given = async (overrides: Partial<Confirmation> = {}) => {
      const { id: userId } = await givenUser(storage())
      const { id: deviceId } = await givenDevice(storage(), { userId })
      const confirmation = await givenConfirmation(storage(), { userId, ...overrides })
      const of = { id: confirmation.id, userId, now: later }
      const withdraw = (changes: Partial<ConfirmationWithdrawal> = {}) =>
        storage().approvals.withdraw({
          confirmationId: confirmation.id,
          userId,
          now: later,
          initiatedBy: confirmation.initiatedBy,
          ...changes,
        })
      const approve = () => storage().approvals.settle({ ...of, outcome: 'approved', deviceId, rejectReason: null })
      const read = () => storage().confirmations.byId(confirmation.id)
      return { confirmation, withdraw, approve, read }
    }

    it('stores its time, and nobody can approve the confirmation any more', async () => {
      for (const initiatedBy of [null, 'billing']) {
        const { confirmation, withdraw, approve, read } = await given({ initiatedBy })
        expect(await withdraw()).toBe(true)
        const withdrawn = { ...confirmation, status: 'expired', withdrawnAt: later, updatedAt: later }
        expect(await read()).toStrictEqual(withdrawn)
        expect([await approve(), await withdraw()]).toStrictEqual([false, false])
        expect(await storage().confirmations.pendingOfUser(confirmation.userId, later)).toStrictEqual([])
        expect(await read()).toStrictEqual(withdrawn)
      }
    })

    it('is possible for the requester only, and not for the vote of a request', async () => {
      const own = await given()
      const ofService = await given({ initiatedBy: 'billing' })
      const { id: stranger } = await givenUser(storage())
      const vote = await given({ approvalId: `appr_${own.confirmation.id}` })
      expect(await own.withdraw({ initiatedBy: 'billing' })).toBe(false)
      expect(await own.withdraw({ userId: stranger })).toBe(false)
      expect(await ofService.withdraw({ initiatedBy: null })).toBe(false)
      expect(await ofService.withdraw({ initiatedBy: 'shipping' })).toBe(false)
      expect(await vote.withdraw()).toBe(false)
      for (const { read, confirmation } of [own, ofService, vote]) expect(await read()).toStrictEqual(confirmation)
    })

    it('is not possible from `expiresAt` on', async () => {
      const { confirmation, withdraw, read } = await given()
      expect(await withdraw({ now: confirmation.expiresAt })).toBe(false)
      expect(await read()).toStrictEqual(confirmation)
      expect(await withdraw({ now: confirmation.expiresAt - 1 })).toBe(true)
    })

    it('and an approval at the same time have exactly one winner', async () => {
      for (let round = 0; round < 5; round += 1) {
        const { withdraw, approve, read } = await given()
        const settled = await atOnce(20, (at) => (at % 2 === round % 2 ? withdraw() : approve()))
        expect(tally(settled, true)).toBe(1)
        const isWithdrawn = settled.indexOf(true) % 2 === round % 2
        expect(await read()).toMatchObject({
          status: isWithdrawn ? 'expired' : 'approved',
          withdrawnAt: isWithdrawn ? later : null,
        })
      }
    })

    it('makes the confirmation expired and finished in lists', async () => {
      const { confirmation, withdraw } = await given()
      const { confirmations } = storage()
      const listed = async (status: 'pending' | 'expired') => {
        const query = { status, userId: confirmation.userId, since: undefined, after: undefined, limit: 10, now: later } as const
        return (await confirmations.page(query)).map(({ id }) => id)
      }
      await withdraw()
      expect([await listed('pending'), await listed('expired')]).toStrictEqual([[], [confirmation.id]])
      const finished = { before: later, now: later }
      expect(await confirmations.deleteFinished([confirmation.id], finished)).toBe(1)
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
      await storage().approvals.settle({ ...of, outcome: 'approved', now: later })
      const rejected = await storage().approvals.endAllOfUser(user.id, later, 'account')
      expect(rejected.toSorted((one, next) => (one.id < next.id ? -1 : 1))).toStrictEqual(
        pending
          .map(({ id, userId, createdAt, expiresAt, tenant, boundTo }) => ({ id, userId, createdAt, expiresAt, tenant, boundTo }))
          .toSorted((one, next) => (one.id < next.id ? -1 : 1)),
      )
      for (const confirmation of pending) {
        expect(await confirmations.byId(confirmation.id)).toStrictEqual({
          ...confirmation,
          status: 'rejected',
          updatedAt: later,
        })
      }
      expect(await confirmations.byId(expired.id)).toStrictEqual(expired)
      expect(await confirmations.byId(foreign.id)).toStrictEqual(foreign)
      expect(await confirmations.byId(approved.id)).toMatchObject({ status: 'approved' })
    })

    it('and settling one of them at the same time have exactly one winner', async () => {
      const user = await givenUser(storage())
      for (let round = 0; round < 5; round += 1) {
        const { id } = await givenConfirmation(storage(), { userId: user.id })
        const of = { id, userId: user.id, deviceId: null, rejectReason: null, now: later }
        const [approved, rejected] = await Promise.all([
          storage().approvals.settle({ ...of, outcome: 'approved' }),
          storage().approvals.endAllOfUser(user.id, later, 'account'),
        ])
        expect(Number(approved) + rejected.length).toBe(1)
        const settled = await storage().confirmations.byId(id)
        expect(settled?.status).toBe(approved ? 'approved' : 'rejected')
      }
    })
  })
}
