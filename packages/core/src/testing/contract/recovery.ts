import { describe, expect, it } from 'vitest'
import type { Confirmation } from '../../approvals/records/confirmation.ts'
import { days, minutes } from '../../shared/clock.ts'
import type { FullStorage } from '../../storage.ts'
import { aChallenge, aConfirmation, anApprovalRequest, aOneTimeCode } from '../builders.ts'
import { type Approver, givenApprover, givenConfirmation, givenUser } from './given.ts'

/** A time after the rows of other tests of a shared database. */
const then = Date.UTC(2090, 0, 1)
const now = then + minutes(1)

export const recoveryContract = (storage: () => FullStorage): void => {
  describe('the recovery after a restore', () => {
    const approve = async (approver: Approver, id: string) => expect(await approver.approve(id)).toBe('approved')
    const given = (userId: number, overrides: Partial<Confirmation> = {}) =>
      givenConfirmation(storage(), { userId, createdAt: then, expiresAt: then + minutes(5), ...overrides })
    const times = { now, createdSince: then }
    const recover = async () => {
      const counted = await storage().recoverable(times)
      const recovered = await storage().recover(times)
      expect(recovered).toStrictEqual(counted)
      return recovered
    }

    it('ends every live session', async () => {
      const { sessionId } = await givenApprover(storage(), then)
      expect((await recover()).sessions).toBeGreaterThanOrEqual(1)
      expect(await storage().sessions.status(sessionId)).toBeUndefined()
      expect(await storage().sessions.byId(sessionId)).toMatchObject({ endedAt: now, endReason: 'revoked' })
      expect((await recover()).sessions).toBe(0)
    })

    it('rejects pending confirmations, and voids approvals that were not used', async () => {
      const approver = await givenApprover(storage(), then)
      const [waiting, approved, old] = [
        await given(approver.userId),
        await given(approver.userId),
        await given(approver.userId, { createdAt: then - 1 }),
      ]
      for (const { id } of [approved, old]) await approve(approver, id)
      expect(await recover()).toMatchObject({ pendingConfirmations: 1, approvals: 1 })
      expect(await storage().confirmations.byId(waiting.id)).toMatchObject({ status: 'rejected', updatedAt: now })
      expect(await storage().confirmations.byId(approved.id)).toMatchObject({ status: 'approved', voidedAt: now })
      expect(await storage().confirmations.byId(old.id)).toMatchObject({ status: 'approved', voidedAt: null })
      const use = { consumedBy: 'host:payment 1', consumedKey: null, receipt: null, approvedSince: 0, now }
      expect(await storage().approvals.use({ ...use, confirmationId: approved.id, userId: approver.userId })).toBe(false)
    })

    it('rejects open approval requests, and voids their approvals, also old ones', async () => {
      const [requester, approver] = [await givenApprover(storage(), then), await givenApprover(storage(), then)]
      const createdAt = then - days(1)
      const request = anApprovalRequest({ requestedBy: requester.userId, createdAt, expiresAt: then + days(1), count: 1 })
      const expiresAt = then + days(1)
      const own = aConfirmation({ userId: approver.userId, approvalId: request.id, createdAt, expiresAt })
      expect(await storage().approvalRequests.open(request, [own], 10)).toBe(true)
      await approve(approver, own.id)
      expect(await recover()).toMatchObject({ approvalRequests: 1, approvals: 1 })
      expect(await storage().approvalRequests.byId(request.id)).toMatchObject({ status: 'rejected' })
      expect(await storage().confirmations.byId(own.id)).toMatchObject({ voidedAt: now })
    })

    it('deletes one-time codes and challenges', async () => {
      const { id: userId } = await givenUser(storage(), { createdAt: then })
      const code = aOneTimeCode({ userId, createdAt: then, expiresAt: then + days(1) })
      const challenge = aChallenge('device_login', { createdAt: then, expiresAt: then + minutes(2) })
      await storage().oneTimeCodes.issue(code)
      await storage().challenges.issue(challenge)
      expect(await recover()).toMatchObject({ oneTimeCodes: 1, challenges: 1 })
      expect(await storage().oneTimeCodes.byHash(code.hash)).toBeUndefined()
      expect(await storage().challenges.consume(challenge.id, 'device_login', null, now)).toBeUndefined()
    })
  })
}
