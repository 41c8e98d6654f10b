import { describe, expect, it } from 'vitest'
import type { Confirmation } from '../../../approvals/confirmations/confirmation.ts'
import type { ApprovalRequest } from '../../../approvals/requests/approval-request.ts'
import type { SealedField } from '../../../shared/crypto/field-encryption.ts'
import { randomUuid, systemRandom } from '../../../shared/random.ts'
import type { FullStorage } from '../../../storage.ts'
import { aConfirmation, anApprovalRequest, anEvidence, aSealedField } from '../../builders.ts'
import { clockStart } from '../../fake-clock.ts'
import { atOnce, tally } from '../at-once.ts'
import { givenDevice, givenSession, givenUser } from '../given.ts'

const now = clockStart + 5
const NO_LIMIT = 1000

interface Approver {
  readonly userId: number
  readonly confirmation: Confirmation
  approve(): Promise<string>
}

export const approvalRequestsContract = (storage: () => FullStorage): void => {
  describe('approval requests', () => {
    const givenRequest = async (approvers: number, overrides: Partial<ApprovalRequest> = {}) => {
      const requester = await givenUser(storage())
      const request = anApprovalRequest({ requestedBy: requester.id, ...overrides })
      const asked = await Promise.all(
        Array.from({ length: approvers }, async (): Promise<Approver> => {
          const { id: userId } = await givenUser(storage())
          const { id: deviceId } = await givenDevice(storage(), { userId })
          const { id: sessionId } = await givenSession(storage(), { userId })
          const confirmation = aConfirmation({ userId, approvalId: request.id, expiresAt: request.expiresAt })
          const evidence = anEvidence({ approvedAt: now })
          const approval = { id: confirmation.id, userId, deviceId, sessionId, evidence, now }
          return { userId, confirmation, approve: () => storage().confirmations.approve(approval) }
        }),
      )
      const confirmations = asked.map(({ confirmation }) => confirmation)
      expect(await storage().approvalRequests.open(request, confirmations, NO_LIMIT)).toBe(true)
      return { request, approvers: asked }
    }
    const redemption = ({ id }: ApprovalRequest, approvers: readonly Approver[], key: string | null = null) => ({
      id,
      confirmationIds: approvers.map(({ confirmation }) => confirmation.id),
      redeemedBy: 'service:billing',
      redeemedKey: key,
      receipts: new Map<string, SealedField>(),
      now,
    })
    const rejection = ({ id: approvalId }: ApprovalRequest, { userId, confirmation }: Approver) => ({
      id: confirmation.id,
      userId,
      approvalId,
      rejectReason: aSealedField(),
      now,
    })
    const statusesOf = async ({ id }: ApprovalRequest) =>
      (await storage().approvalRequests.confirmationsOf(id)).map(({ status }) => status).sort()
    const consumedOf = async ({ id }: ApprovalRequest) =>
      (await storage().approvalRequests.confirmationsOf(id)).filter(({ consumedAt }) => consumedAt !== null)

    it('are stored with the confirmations of their approvers', async () => {
      const { request, approvers } = await givenRequest(3)
      expect(await storage().approvalRequests.byId(request.id)).toStrictEqual(request)
      const stored = await storage().approvalRequests.confirmationsOf(request.id)
      expect(new Set(stored)).toEqual(new Set(approvers.map(({ confirmation }) => confirmation)))
      expect(await storage().approvalRequests.byId(`appr_${randomUuid(systemRandom)}`)).toBeUndefined()
    })

    it('are open at most as many at a time as the limit, also when they start at the same time', async () => {
      const { id: requestedBy } = await givenUser(storage())
      const { approvalRequests } = storage()
      const opened = await atOnce(10, () => approvalRequests.open(anApprovalRequest({ requestedBy }), [], 3))
      expect(tally(opened, true)).toBe(3)
      expect(await approvalRequests.openOf(requestedBy, clockStart)).toBe(3)
      const { expiresAt } = anApprovalRequest()
      expect(await approvalRequests.openOf(requestedBy, expiresAt - 1)).toBe(3)
      expect(await approvalRequests.openOf(requestedBy, expiresAt)).toBe(0)
      expect(await approvalRequests.open(anApprovalRequest({ requestedBy, createdAt: expiresAt }), [], 3)).toBe(true)
    })

    it('ask no locked or disabled account, and are not opened by one', async () => {
      const { approvalRequests, users } = storage()
      const [open, locked, disabled] = [await givenUser(storage()), await givenUser(storage()), await givenUser(storage())]
      await users.lock(locked.id, now)
      await users.change(disabled.id, disabled.version, { disabledAt: now }, now)
      const request = anApprovalRequest({ requestedBy: (await givenUser(storage())).id })
      const asked = [open, locked, disabled].map(({ id: userId }) => aConfirmation({ userId, approvalId: request.id }))
      expect(await approvalRequests.open(request, asked, NO_LIMIT)).toBe(true)
      expect((await approvalRequests.confirmationsOf(request.id)).map(({ userId }) => userId)).toStrictEqual([open.id])
      for (const { id: requestedBy } of [locked, disabled]) {
        expect(await approvalRequests.open(anApprovalRequest({ requestedBy }), [], NO_LIMIT)).toBe(false)
      }
    })

    it('ask each user once', async () => {
      const { approvalRequests } = storage()
      const [requester, approver] = [await givenUser(storage()), await givenUser(storage())]
      const request = anApprovalRequest({ requestedBy: requester.id })
      const twice = [1, 2].map(() => aConfirmation({ userId: approver.id, approvalId: request.id }))
      await expect(approvalRequests.open(request, twice, NO_LIMIT)).rejects.toThrow()
      expect(await approvalRequests.byId(request.id)).toBeUndefined()
      expect(await approvalRequests.confirmationsOf(request.id)).toStrictEqual([])
    })

    it.each([0, -1])('never need %s approvals', async (count) => {
      const { approvalRequests } = storage()
      const request = anApprovalRequest({ requestedBy: (await givenUser(storage())).id, count })
      await expect(approvalRequests.open(request, [], NO_LIMIT)).rejects.toThrow()
      expect(await approvalRequests.byId(request.id)).toBeUndefined()
    })

    it('are not redeemed with an approval of their requester', async () => {
      const { request, approvers } = await givenRequest(2)
      const [first, second] = approvers as [Approver, Approver]
      const own = anApprovalRequest({ requestedBy: first.userId })
      const confirmations = [first, second].map(({ userId }) => aConfirmation({ userId, approvalId: own.id }))
      expect(await storage().approvalRequests.open(own, confirmations, NO_LIMIT)).toBe(true)
      for (const { userId, id } of confirmations) {
        const { id: deviceId } = await givenDevice(storage(), { userId })
        const { id: sessionId } = await givenSession(storage(), { userId })
        const approval = { id, userId, deviceId, sessionId, evidence: anEvidence({ approvedAt: now }), now }
        expect(await storage().confirmations.approve(approval)).toBe('approved')
      }
      const confirmationIds = confirmations.map(({ id }) => id)
      expect(await storage().approvalRequests.redeem({ ...redemption(own, []), confirmationIds })).toBe(false)
      expect(await consumedOf(own)).toStrictEqual([])
      for (const { approve } of approvers) await approve()
      expect(await storage().approvalRequests.redeem(redemption(request, approvers))).toBe(true)
    })

    it('do not count towards the limit of pending confirmations of an approver', async () => {
      const { approvers } = await givenRequest(1)
      const userId = approvers[0]?.userId ?? 0
      expect(await storage().confirmations.initiate(aConfirmation({ userId }), 1)).toBe(true)
    })

    it('are redeemed once of many times at the same time, with exactly the given approvals', async () => {
      const { request, approvers } = await givenRequest(4)
      const approved = approvers.slice(0, 3)
      for (const { approve } of approved) expect(await approve()).toBe('approved')
      const used = approved.slice(0, 2)
      const outcomes = await atOnce(20, (at) => storage().approvalRequests.redeem(redemption(request, used, `key-${at}`)))
      expect(tally(outcomes, true)).toBe(1)
      const winner = `key-${outcomes.indexOf(true)}`
      const ended = { status: 'redeemed', redeemedAt: now, redeemedBy: 'service:billing', redeemedKey: winner }
      expect(await storage().approvalRequests.byId(request.id)).toStrictEqual({ ...request, ...ended })
      const consumed = await consumedOf(request)
      expect(new Set(consumed.map(({ id }) => id))).toEqual(new Set(used.map(({ confirmation }) => confirmation.id)))
      for (const each of consumed)
        expect(each).toMatchObject({ consumedBy: 'service:billing', consumedKey: winner, consumedAt: now })
      expect(await statusesOf(request)).toStrictEqual(['approved', 'approved', 'approved', 'rejected'])
      expect(await approvers[3]?.approve()).toBe('not_pending')
    })

    it('are redeemed with the receipt of each, where the redemption can be repeated', async () => {
      const { request, approvers } = await givenRequest(2)
      for (const { approve } of approvers) await approve()
      const receipts = new Map(approvers.map(({ confirmation }) => [confirmation.id, aSealedField()]))
      expect(await storage().approvalRequests.redeem({ ...redemption(request, approvers, 'key'), receipts })).toBe(true)
      const consumed = await consumedOf(request)
      expect(new Map(consumed.map(({ id, consumedReceipt }) => [id, consumedReceipt]))).toStrictEqual(receipts)
    })

    it('are not redeemed, and consume nothing, without exactly as many usable approvals of their own', async () => {
      const { approvalRequests, confirmations } = storage()
      const { request, approvers } = await givenRequest(4)
      const { request: otherRequest, approvers: others } = await givenRequest(2)
      const [first, second, third, pending] = approvers as [Approver, Approver, Approver, Approver]
      for (const { approve } of [first, second, third, ...others]) await approve()
      await confirmations.voidAllOfUser(third.userId, now)
      const refused: readonly (readonly Approver[])[] = [
        [],
        [first],
        [first, first],
        [first, second, first],
        [first, second, third],
        [first, third],
        [first, pending],
        [first, ...others.slice(0, 1)],
      ]
      for (const approvals of refused) expect(await approvalRequests.redeem(redemption(request, approvals))).toBe(false)
      const expired = { ...redemption(request, [first, second]), now: request.expiresAt }
      expect(await approvalRequests.redeem(expired)).toBe(false)
      expect(await approvalRequests.byId(request.id)).toStrictEqual(request)
      expect(await consumedOf(request)).toStrictEqual([])
      expect(await consumedOf(otherRequest)).toStrictEqual([])
      expect(await approvalRequests.redeem(redemption(request, [first, second]))).toBe(true)
    })

    it('end by the rejection of one approver, which closes the confirmations of the others', async () => {
      const { approvalRequests } = storage()
      const { request, approvers } = await givenRequest(3)
      const [first, second, third] = approvers as [Approver, Approver, Approver]
      await first.approve()
      const { id, userId, rejectReason } = rejection(request, second)
      expect(await approvalRequests.reject({ ...rejection(request, third), id })).toBe(false)
      expect(await approvalRequests.reject({ ...rejection(request, first) })).toBe(false)
      expect(await approvalRequests.reject({ ...rejection(request, second), now: request.expiresAt })).toBe(false)
      expect(await approvalRequests.reject({ id, userId, rejectReason, approvalId: request.id, now })).toBe(true)
      expect(await approvalRequests.reject(rejection(request, third))).toBe(false)
      expect(await approvalRequests.byId(request.id)).toStrictEqual({ ...request, status: 'rejected' })
      expect(await statusesOf(request)).toStrictEqual(['approved', 'rejected', 'rejected'])
      expect(await storage().confirmations.ofUser(userId, id)).toMatchObject({ status: 'rejected', rejectReason })
      expect(await third.approve()).toBe('not_pending')
      expect(await approvalRequests.openOf(request.requestedBy, now)).toBe(0)
    })

    it('end once, by a redemption or by a rejection at the same time', async () => {
      for (let round = 0; round < 10; round += 1) {
        const { request, approvers } = await givenRequest(3)
        const [first, second, third] = approvers as [Approver, Approver, Approver]
        await first.approve()
        const [approved, rejected, redeemed] = await Promise.all([
          second.approve(),
          storage().approvalRequests.reject(rejection(request, third)),
          storage().approvalRequests.redeem(redemption(request, [first, second])),
        ])
        expect(rejected && redeemed).toBe(false)
        const { status } = (await storage().approvalRequests.byId(request.id)) ?? {}
        const expected = redeemed ? 'redeemed' : 'rejected'
        expect(status).toBe(expected)
        expect(await consumedOf(request)).toHaveLength(redeemed ? 2 : 0)
        if (redeemed) expect(approved).toBe('approved')
      }
    })

    it('end by one rejection or by one approval of the same user at the same time', async () => {
      for (let round = 0; round < 10; round += 1) {
        const { request, approvers } = await givenRequest(2)
        const [first, second] = approvers as [Approver, Approver]
        const [approved, rejected] = await Promise.all([
          first.approve(),
          storage().approvalRequests.reject(rejection(request, first)),
        ])
        expect([approved, rejected]).toStrictEqual(rejected ? ['not_pending', true] : ['approved', false])
        expect(await storage().approvalRequests.byId(request.id)).toMatchObject({ status: rejected ? 'rejected' : 'pending' })
        expect(await second.approve()).toBe(rejected ? 'not_pending' : 'approved')
      }
    })

    it('are rejected once, where all approvers reject at the same time', async () => {
      const { request, approvers } = await givenRequest(5)
      const outcomes = await atOnce(5, (at) => storage().approvalRequests.reject(rejection(request, approvers[at] as Approver)))
      expect(tally(outcomes, true)).toBe(1)
      expect(await statusesOf(request)).toStrictEqual(Array.from({ length: 5 }, () => 'rejected'))
    })

    it('of one requester end together, and those of others stay', async () => {
      const { approvalRequests } = storage()
      const { request, approvers } = await givenRequest(2)
      const { request: other } = await givenRequest(1)
      const redeemed = anApprovalRequest({ requestedBy: request.requestedBy, status: 'redeemed' })
      const expired = anApprovalRequest({ requestedBy: request.requestedBy, createdAt: now - 10_000_000 })
      const another = anApprovalRequest({ requestedBy: request.requestedBy })
      for (const each of [redeemed, expired, another]) expect(await approvalRequests.open(each, [], NO_LIMIT)).toBe(true)
      await approvers[0]?.approve()
      expect(await approvalRequests.rejectAllOfRequester(request.requestedBy, now)).toBe(2)
      expect(await approvalRequests.rejectAllOfRequester(request.requestedBy, now)).toBe(0)
      expect(await approvalRequests.byId(request.id)).toStrictEqual({ ...request, status: 'rejected' })
      expect(await approvalRequests.byId(another.id)).toStrictEqual({ ...another, status: 'rejected' })
      for (const each of [other, redeemed, expired]) expect(await approvalRequests.byId(each.id)).toStrictEqual(each)
      expect(await statusesOf(request)).toStrictEqual(['approved', 'rejected'])
      expect(await statusesOf(other)).toStrictEqual(['pending'])
      expect(await approvalRequests.redeem(redemption({ ...request, count: 1 }, approvers.slice(0, 1)))).toBe(false)
    })

    it('end once, by the lock of their requester or by a redemption at the same time', async () => {
      for (let round = 0; round < 5; round += 1) {
        const { request, approvers } = await givenRequest(2)
        for (const { approve } of approvers) await approve()
        const [ended, redeemed] = await Promise.all([
          storage().approvalRequests.rejectAllOfRequester(request.requestedBy, now),
          storage().approvalRequests.redeem(redemption(request, approvers)),
        ])
        expect(ended).toBe(redeemed ? 0 : 1)
        expect(await consumedOf(request)).toHaveLength(redeemed ? 2 : 0)
      }
    })

    it('do not deadlock where users ask each other at the same time', async () => {
      const ids = (await atOnce(4, () => givenUser(storage()))).map(({ id }) => id)
      const opened = await atOnce(20, (at) => {
        const requestedBy = ids[at % ids.length] ?? 0
        const request = anApprovalRequest({ requestedBy })
        const asked = ids
          .filter((id) => id !== requestedBy)
          .reverse()
          .map((userId) => aConfirmation({ userId, approvalId: request.id }))
        return storage().approvalRequests.open(request, asked, NO_LIMIT)
      })
      expect(tally(opened, true)).toBe(20)
    })

    it('take back everything with their transaction', async () => {
      const { request, approvers } = await givenRequest(2)
      for (const { approve } of approvers) await approve()
      const undone = storage().transaction(async (tx) => {
        await tx.approvalRequests.redeem(redemption(request, approvers))
        throw new Error('undone')
      })
      await expect(undone).rejects.toThrow('undone')
      expect(await storage().approvalRequests.byId(request.id)).toStrictEqual(request)
      expect(await consumedOf(request)).toStrictEqual([])
    })
  })

  describe('policies of action types', () => {
    it('are kept one for a type, replaced and removed', async () => {
      const { actionPolicies } = storage()
      const actionType = `type_${randomUuid(systemRandom).replaceAll('-', '')}`
      const policy = { actionType, permission: 'payment.approve', count: 2 } as const
      expect(await actionPolicies.ofType(actionType)).toBeUndefined()
      await actionPolicies.put({ ...policy, count: 3 })
      await actionPolicies.put(policy)
      expect(await actionPolicies.ofType(actionType)).toStrictEqual(policy)
      expect(await actionPolicies.ofType(actionType.toUpperCase())).toBeUndefined()
      await actionPolicies.put({ ...policy, actionType: `${actionType}_a` })
      const added = (await actionPolicies.all()).filter((stored) => stored.actionType.startsWith(actionType))
      expect(added).toStrictEqual([policy, { ...policy, actionType: `${actionType}_a` }])
      expect(await actionPolicies.remove(actionType)).toBe(true)
      expect(await actionPolicies.remove(actionType)).toBe(false)
      expect(await actionPolicies.ofType(actionType)).toBeUndefined()
    })
  })
}
