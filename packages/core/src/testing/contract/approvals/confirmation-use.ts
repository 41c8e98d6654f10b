import { describe, expect, it } from 'vitest'
import type { ConfirmationUse } from '../../../approvals/records/approval.ts'
import type { Confirmation } from '../../../approvals/records/confirmation.ts'
import type { FullStorage } from '../../../storage.ts'
import { aConfirmation, anEvidence, aSealedField } from '../../builders.ts'
import { clockStart } from '../../fake-clock.ts'
import { atOnce, tally } from '../at-once.ts'
import { givenConfirmation, givenDevice, givenUserInSession } from '../given.ts'

const approvedAt = clockStart + 1000
const later = clockStart + 2000

export const confirmationUseContract = (storage: () => FullStorage): void => {
  /** An approved confirmation, and what a test does with it. */
  const given = async (overrides: Partial<Confirmation> = {}) => {
    const { user, sessionId } = await givenUserInSession(storage())
    const device = await givenDevice(storage(), { userId: user.id })
    const pending = await givenConfirmation(storage(), { ...overrides, userId: user.id })
    const evidence = anEvidence({ approvedAt })
    const approve = () =>
      storage().confirmations.approve({
        id: pending.id,
        userId: user.id,
        deviceId: device.id,
        sessionId,
        evidence,
        now: approvedAt,
      })
    const wanted: ConfirmationUse = {
      confirmationId: pending.id,
      userId: user.id,
      consumedBy: 'host:payments',
      consumedKey: null,
      receipt: null,
      approvedSince: approvedAt,
      now: later,
    }
    const read = () => storage().confirmations.byId(pending.id)
    const confirmation = { ...pending, status: 'approved' as const, deviceId: device.id, evidence, updatedAt: approvedAt }
    return { user, device, pending, approve, wanted, read, confirmation }
  }

  const givenApproved = async (overrides: Partial<Confirmation> = {}) => {
    const made = await given(overrides)
    expect(await made.approve()).toBe('approved')
    return made
  }

  const use = (wanted: ConfirmationUse) => storage().approvals.use(wanted)

  describe('using an approval', () => {
    it.each([
      [null, null],
      ['key-1', aSealedField()],
    ])('stores the time and the consumer, with the key %j and the receipt %j', async (consumedKey, receipt) => {
      const { confirmation, wanted, read } = await givenApproved()
      expect(await use({ ...wanted, consumedKey, receipt })).toBe(true)
      const consumed = { consumedAt: later, consumedBy: 'host:payments', consumedKey, consumedReceipt: receipt }
      expect(await read()).toStrictEqual({ ...confirmation, ...consumed })
    })

    it('succeeds for exactly one of 100 at the same time', async () => {
      const { wanted, read } = await givenApproved()
      const outcomes = await atOnce(100, (index) => use({ ...wanted, consumedKey: `key-${index}` }))
      expect(tally(outcomes, true)).toBe(1)
      expect(await read()).toMatchObject({ consumedKey: `key-${outcomes.indexOf(true)}` })
    })

    it('needs the evidence of the approval', async () => {
      const { device, wanted } = await given()
      const { userId, confirmationId: id } = wanted
      const settled = { id, userId, outcome: 'approved', deviceId: device.id, rejectReason: null, now: approvedAt } as const
      expect(await storage().approvals.settle(settled)).toBe(true)
      expect(await use({ ...wanted, approvedSince: 0 })).toBe(false)
    })

    it('is possible for an approval in the millisecond of `approvedSince`, and for no earlier one', async () => {
      const { confirmation, wanted, read } = await givenApproved()
      expect(await use({ ...wanted, approvedSince: approvedAt + 1 })).toBe(false)
      expect(await read()).toStrictEqual(confirmation)
      expect(await use({ ...wanted, approvedSince: approvedAt })).toBe(true)
    })

    it('is refused while the user is disabled or locked', async () => {
      const { users } = storage()
      const { user, wanted } = await givenApproved()
      const disabled = await users.change(user.id, user.version, { disabledAt: later }, later)
      expect(await use(wanted)).toBe(false)
      const enabled = await users.change(user.id, disabled?.version ?? 0, { disabledAt: null }, later)
      expect(enabled?.disabledAt).toBeNull()
      await users.setLock(user.id, later, later)
      expect(await use(wanted)).toBe(false)
      await users.setLock(user.id, null, later)
      expect(await use(wanted)).toBe(true)
    })
  })

  describe('the end of the account of a user', () => {
    it('voids every approval that nobody has used, once', async () => {
      const { approvals } = storage()
      const { user, confirmation, wanted, read } = await givenApproved()
      expect(await approvals.endAllOfUser(user.id, later, 'sessions')).toStrictEqual([])
      expect(await read()).toStrictEqual(confirmation)
      expect(await approvals.endAllOfUser(user.id, later, 'account')).toStrictEqual([])
      expect(await read()).toStrictEqual({ ...confirmation, voidedAt: later })
      await approvals.endAllOfUser(user.id, later + 1, 'account')
      expect(await use(wanted)).toBe(false)
      expect(await read()).toMatchObject({ voidedAt: later })
    })

    it('voids no used or pending confirmation, and none of another user', async () => {
      const { approvals } = storage()
      const [consumed, pending, other] = [await givenApproved(), await given(), await givenApproved()]
      await use(consumed.wanted)
      for (const { user } of [consumed, pending]) await approvals.endAllOfUser(user.id, later, 'account')
      expect(await consumed.read()).toMatchObject({ voidedAt: null })
      expect(await pending.read()).toStrictEqual({ ...pending.pending, status: 'rejected', updatedAt: later })
      expect(await other.read()).toStrictEqual(other.confirmation)
    })

    it('and a use at the same time have exactly one winner', async () => {
      for (let round = 0; round < 5; round += 1) {
        const { user, wanted, read } = await givenApproved()
        const both = [() => use(wanted), () => storage().approvals.endAllOfUser(user.id, later, 'account')]
        if (round % 2 === 1) both.reverse()
        const outcomes = await Promise.all(both.map((one) => one()))
        const after = await read()
        expect(after?.consumedAt !== null).toBe(outcomes.includes(true))
        expect((after?.consumedAt === null) !== (after?.voidedAt === null)).toBe(true)
      }
    })
  })

  describe('the pending confirmations of a service', () => {
    const initiate = (userId: number, initiatedBy: string | null, limit: number) =>
      storage().confirmations.initiate(aConfirmation({ userId, initiatedBy, requestedBy: null }), limit)

    it('count apart from those of the user, and from those of other services', async () => {
      const { user } = await givenUserInSession(storage())
      expect(await initiate(user.id, null, 1)).toBe(true)
      expect(await initiate(user.id, 'billing', 1)).toBe(true)
      expect(await initiate(user.id, 'shipping', 1)).toBe(true)
      for (const service of [null, 'billing', 'shipping']) expect(await initiate(user.id, service, 1)).toBe(false)
      expect(await initiate(user.id, 'billing', 2)).toBe(true)
      const other = await givenUserInSession(storage())
      expect(await initiate(other.user.id, 'billing', 1)).toBe(true)
    })

    it('never exceed the limit, with 100 at the same time', async () => {
      const { user } = await givenUserInSession(storage())
      expect(tally(await atOnce(100, () => initiate(user.id, 'billing', 5)), true)).toBe(5)
    })
  })
}
