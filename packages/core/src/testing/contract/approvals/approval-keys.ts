import { describe, expect, it } from 'vitest'
import type { FullStorage } from '../../../storage.ts'
import { aConfirmation, anApprovalRequest, anEvidence } from '../../builders.ts'
import { clockStart } from '../../fake-clock.ts'
import { atOnce, tally } from '../at-once.ts'
import { givenApprover, givenDevice, givenUser } from '../given.ts'

const now = clockStart + 5

/** Declares tests of the keys that approve approval requests. */
export const approvalKeysContract = (storage: () => FullStorage): void => {
  describe('the keys that approve a request', () => {
    const redeemBy = (requestId: string, confirmationIds: readonly string[]) => {
      const use = { consumedBy: 'service:billing', consumedKey: null, receipts: new Map() }
      return storage().approvals.use({ requestId, confirmationIds, ...use, now })
    }
    const givenRequest = async (approvers: number) => {
      const { id: requestedBy } = await givenUser(storage())
      const request = anApprovalRequest({ requestedBy, count: 2 })
      const asked = await Promise.all(
        Array.from({ length: approvers }, async () => {
          const { userId, approve } = await givenApprover(storage(), now)
          const confirmation = aConfirmation({ userId, approvalId: request.id, expiresAt: request.expiresAt })
          const approveBy = (keyThumbprint: string, publicKey = `the key ${keyThumbprint}`) =>
            approve(confirmation.id, { keyThumbprint, publicKey })
          return { userId, confirmation, approve: approveBy }
        }),
      )
      const confirmations = asked.map(({ confirmation }) => confirmation)
      expect(await storage().approvalRequests.open(request, confirmations, 10)).toBe(true)
      const redeem = (...of: readonly (typeof asked)[number][]) =>
        redeemBy(
          request.id,
          of.map(({ confirmation }) => confirmation.id),
        )
      const [first, second, third] = asked
      if (first === undefined || second === undefined || third === undefined) throw new Error('too few approvers')
      return { requestedBy, asked, first, second, third, redeem }
    }

    it('approve once each, also if the approvers approve at the same time', async () => {
      for (let round = 0; round < 5; round += 1) {
        const { asked } = await givenRequest(4)
        const outcomes = await atOnce(4, async (at) => asked[at]?.approve('a'))
        expect([tally(outcomes, 'approved'), tally(outcomes, 'same_key')]).toStrictEqual([1, 3])
      }
    })

    it('count once each, also in approvals that an earlier version stored', async () => {
      const { id: requestedBy } = await givenUser(storage())
      const request = anApprovalRequest({ requestedBy, count: 2 })
      const approved = await Promise.all(
        ['a', 'a', 'b'].map(async (keyThumbprint) => {
          const { id: userId } = await givenUser(storage())
          const evidence = anEvidence({ keyThumbprint, approvedAt: now })
          return aConfirmation({ userId, approvalId: request.id, status: 'approved', evidence })
        }),
      )
      expect(await storage().approvalRequests.open(request, approved, 10)).toBe(true)
      const ids = approved.map(({ id }) => id)
      expect(await redeemBy(request.id, ids.slice(0, 2))).toBe(false)
      expect(await redeemBy(request.id, ids.slice(1))).toBe(true)
    })

    it.each([false, true])('are not those of the requester; the device was removed: %s', async (removed) => {
      const { requestedBy: userId, first, second, third, redeem } = await givenRequest(3)
      expect(await first.approve('a', 'the own key')).toBe('approved')
      const { id } = await givenDevice(storage(), { userId, publicKey: 'the own key' })
      if (removed) await storage().devices.remove(userId, id, now)
      expect(await second.approve('b', 'the own key')).toBe('same_key')
      expect(await second.approve('c')).toBe('approved')
      expect(await third.approve('d')).toBe('approved')
      expect(await redeem(first, second)).toBe(false)
      expect(await redeem(second, third)).toBe(true)
    })
  })
}
