import { describe, expect, it } from 'vitest'
import type { Settlement } from '../../../approvals/records/approval.ts'
import type { ApprovalRequest } from '../../../approvals/records/approval-request.ts'
import type { Confirmation } from '../../../approvals/records/confirmation.ts'
import type { SealedField } from '../../../shared/crypto/field-encryption.ts'
import { randomUuid, systemRandom } from '../../../shared/random.ts'
import type { FullStorage } from '../../../storage.ts'
import { aConfirmation, anApprovalRequest, aSealedField } from '../../builders.ts'
import { clockStart } from '../../fake-clock.ts'
import { atOnce, tally } from '../at-once.ts'
import { givenApprover, givenUser } from '../given.ts'

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
          const { userId, approve } = await givenApprover(storage(), now)
          const confirmation = aConfirmation({ userId, approvalId: request.id, expiresAt: request.expiresAt })
          return { userId, confirmation, approve: () => approve(confirmation.id) }
        }),
      )
      const confirmations = asked.map(({ confirmation }) => confirmation)
      expect(await storage().approvalRequests.open(request, confirmations, NO_LIMIT)).toBe(true)
      return { request, approvers: asked }
    }
    const useOf = ({ id }: ApprovalRequest, approvers: readonly Approver[], key: string | null = null) => ({
      requestId: id,
      confirmationIds: approvers.map(({ confirmation }) => confirmation.id),
      consumedBy: 'service:billing',
      consumedKey: key,
      receipts: new Map<string, SealedField>(),
      now,
    })
    const rejection = ({ id: requestId }: ApprovalRequest, { userId, confirmation }: Approver): Settlement => ({
      id: confirmation.id,
      userId,
      requestId,
      outcome: 'rejected',
      deviceId: null,
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

    it('never exceed the limit of open requests, also if they start at the same time', async () => {
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

    it('wait for later holders of a permission that they need, who are then asked once', async () => {
      const { approvalRequests, users } = storage()
      const wanted = [`p-${randomUuid(systemRandom)}.approve`]
      const requester = await givenUser(storage(), { permissions: wanted })
      const holder = await givenUser(storage(), { permissions: [...wanted, 'project.read'] })
      const idsFor = async ({ id }: { readonly id: number }, at = now, limit = 100) =>
        (await approvalRequests.waitingFor(id, at, limit)).map((request) => request.id)
      const open = async (createdAt: number, permissions = wanted) => {
        const request = anApprovalRequest({ requestedBy: requester.id, createdAt })
        expect(await approvalRequests.open(request, [], NO_LIMIT, permissions)).toBe(true)
        return request
      }
      const [older, newer] = [await open(clockStart), await open(clockStart + 1)]
      await open(clockStart + 2, ['other.approve'])
      await open(clockStart + 2, [])
      expect(await approvalRequests.waitingFor(holder.id, now, 100)).toStrictEqual([newer, older])
      expect(await idsFor(holder, now, 1)).toStrictEqual([newer.id])
      expect(await idsFor(requester)).toStrictEqual([])
      expect(await idsFor(await givenUser(storage()))).toStrictEqual([])
      expect(await idsFor(holder, older.expiresAt)).toStrictEqual([newer.id])
      expect(await users.setLock(holder.id, now, now)).toBeDefined()
      expect(await idsFor(holder)).toStrictEqual([])
      const vote = () => aConfirmation({ userId: holder.id, approvalId: older.id, createdAt: now })
      expect(await approvalRequests.ask(vote(), 2)).toBe(false)
      await users.setLock(holder.id, null, now)
      const asked = await atOnce(5, () => approvalRequests.ask(vote(), 2))
      expect(tally(asked, true)).toBe(1)
      expect(await approvalRequests.confirmationsOf(older.id)).toMatchObject([{ userId: holder.id, status: 'pending' }])
      expect(await idsFor(holder)).toStrictEqual([newer.id])
      expect(await idsFor(holder, now, 1)).toStrictEqual([newer.id])
    })

    it('ask at most the allowed number of users, also at the same time, and then wait for nobody else', async () => {
      const { approvalRequests } = storage()
      const wanted = [`p-${randomUuid(systemRandom)}.approve`]
      const { id: requestedBy } = await givenUser(storage())
      const request = anApprovalRequest({ requestedBy })
      await approvalRequests.open(request, [], NO_LIMIT, wanted)
      const holders = await Promise.all(Array.from({ length: 6 }, () => givenUser(storage(), { permissions: wanted })))
      const asked = await atOnce(6, (at) =>
        approvalRequests.ask(aConfirmation({ userId: holders[at]?.id ?? 0, approvalId: request.id }), 4),
      )
      expect(tally(asked, true)).toBe(4)
      expect(await approvalRequests.confirmationsOf(request.id)).toHaveLength(4)
      for (const { id } of holders) expect(await approvalRequests.waitingFor(id, now, 100)).toStrictEqual([])
    })

    it('wait for nobody, and ask nobody, after their end', async () => {
      const { approvalRequests } = storage()
      const wanted = [`p-${randomUuid(systemRandom)}.approve`]
      const [requester, holder] = [await givenUser(storage()), await givenUser(storage(), { permissions: wanted })]
      const expired = anApprovalRequest({ requestedBy: requester.id })
      const ended = anApprovalRequest({ requestedBy: requester.id, createdAt: expired.expiresAt })
      for (const request of [expired, ended]) await approvalRequests.open(request, [], NO_LIMIT, wanted)
      const vote = aConfirmation({ userId: holder.id, approvalId: expired.id, createdAt: expired.expiresAt })
      expect(await approvalRequests.ask(vote, 100)).toBe(false)
      expect(await approvalRequests.waitingFor(holder.id, expired.expiresAt, 100)).toStrictEqual([ended])
      expect(await storage().approvals.endAllOfUser(requester.id, expired.expiresAt, 'account')).toStrictEqual([])
      const statuses = [await approvalRequests.byId(expired.id), await approvalRequests.byId(ended.id)].map((one) => one?.status)
      expect(statuses).toStrictEqual(['pending', 'rejected'])
      expect(await approvalRequests.waitingFor(holder.id, expired.expiresAt, 100)).toStrictEqual([])
      expect(await approvalRequests.ask({ ...vote, approvalId: ended.id }, 100)).toBe(false)
      expect(await approvalRequests.confirmationsOf(ended.id)).toStrictEqual([])
    })

    it('are listed by their type while they are open, page by page', async () => {
      const { approvalRequests } = storage()
      const actionType = `type-${randomUuid(systemRandom)}`
      const { id: requestedBy } = await givenUser(storage())
      const open = async (createdAt: number, type = actionType) => {
        const request = anApprovalRequest({ requestedBy, createdAt, actionType: type })
        await approvalRequests.open(request, [], NO_LIMIT)
        return request
      }
      const [expired, ...others] = [await open(clockStart), await open(clockStart + 1), await open(clockStart + 1)]
      await open(clockStart + 1, `${actionType}s`)
      const listed = async (at: number) => {
        const found: ApprovalRequest[] = []
        for (let afterId = ''; ; afterId = found.at(-1)?.id ?? '') {
          const page = await approvalRequests.openOfType(actionType, { afterId, limit: 1, now: at })
          if (page.length === 0) return found
          found.push(...page)
        }
      }
      const byId = (requests: readonly (ApprovalRequest | undefined)[]) =>
        requests.flatMap((request) => request ?? []).sort((one, other) => (one.id < other.id ? -1 : 1))
      expect(await listed(now)).toStrictEqual(byId([expired, ...others]))
      expect(await listed(clockStart + (expired?.expiresAt ?? 0) - (expired?.createdAt ?? 0))).toStrictEqual(byId(others))
      await storage().approvals.endAllOfUser(requestedBy, now, 'account')
      expect(await listed(now)).toStrictEqual([])
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

    it('cannot have a negative number of approvals', async () => {
      const count = -1
      const { approvalRequests } = storage()
      const request = anApprovalRequest({ requestedBy: (await givenUser(storage())).id, count })
      await expect(approvalRequests.open(request, [], NO_LIMIT)).rejects.toThrow()
      expect(await approvalRequests.byId(request.id)).toBeUndefined()
    })

    it('are used by exactly one of many concurrent calls, with exactly the given approvals', async () => {
      const { request, approvers } = await givenRequest(4)
      const approved = approvers.slice(0, 3)
      for (const { approve } of approved) expect(await approve()).toBe('approved')
      const used = approved.slice(0, 2)
      const outcomes = await atOnce(20, (at) => storage().approvals.use(useOf(request, used, `key-${at}`)))
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

    it('are not used unless there are exactly as many usable approvals of this request as needed', async () => {
      const { approvalRequests, approvals } = storage()
      const { request, approvers } = await givenRequest(4)
      const { request: otherRequest, approvers: others } = await givenRequest(2)
      const [first, second, third, pending] = approvers as [Approver, Approver, Approver, Approver]
      for (const { approve } of [first, second, third, ...others]) await approve()
      await approvals.endAllOfUser(third.userId, now, 'account')
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
      for (const voters of refused) expect(await approvals.use(useOf(request, voters))).toBe(false)
      const expired = { ...useOf(request, [first, second]), now: request.expiresAt }
      expect(await approvals.use(expired)).toBe(false)
      expect(await approvalRequests.byId(request.id)).toStrictEqual(request)
      expect(await consumedOf(request)).toStrictEqual([])
      expect(await consumedOf(otherRequest)).toStrictEqual([])
      expect(await approvals.use(useOf(request, [first, second]))).toBe(true)
    })

    it('end once, by a use or by a rejection at the same time', async () => {
      for (let round = 0; round < 5; round += 1) {
        const { request, approvers } = await givenRequest(3)
        const [first, second, third] = approvers as [Approver, Approver, Approver]
        await first.approve()
        const [approved, rejected, redeemed] = await Promise.all([
          second.approve(),
          storage().approvals.settle(rejection(request, third)),
          storage().approvals.use(useOf(request, [first, second])),
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
      for (let round = 0; round < 5; round += 1) {
        const { request, approvers } = await givenRequest(2)
        const [first, second] = approvers as [Approver, Approver]
        const [approved, rejected] = await Promise.all([first.approve(), storage().approvals.settle(rejection(request, first))])
        expect([approved, rejected]).toStrictEqual(rejected ? ['not_pending', true] : ['approved', false])
        expect(await storage().approvalRequests.byId(request.id)).toMatchObject({ status: rejected ? 'rejected' : 'pending' })
        expect(await second.approve()).toBe(rejected ? 'not_pending' : 'approved')
      }
    })

    it('end once, by a withdrawal or by approvals at the same time', async () => {
      for (let round = 0; round < 5; round += 1) {
        const { request, approvers } = await givenRequest(2)
        const withdraw = (approved: number) => storage().approvals.withdraw({ requestId: request.id, approved, now })
        const [withdrawn, ...approved] = await Promise.all([withdraw(0), ...approvers.map(({ approve }) => approve())])
        const votes = tally(approved, 'approved')
        expect(votes).toBe(withdrawn ? 0 : 2)
        expect(await storage().approvalRequests.byId(request.id)).toStrictEqual(
          withdrawn ? { ...request, status: 'expired', withdrawnAt: now } : request,
        )
        expect(await withdraw(votes + 1)).toBe(false)
        expect(await withdraw(votes)).toBe(!withdrawn)
        expect(await withdraw(votes)).toBe(false)
      }
    })

    it('keep their approvals when they are withdrawn, and nobody can use them', async () => {
      const { request, approvers } = await givenRequest(3)
      const [first, second] = approvers as [Approver, Approver, Approver]
      await first.approve()
      const { id } = request
      expect(await storage().approvals.withdraw({ requestId: id, approved: 1, now: request.expiresAt })).toBe(false)
      expect(await storage().approvals.withdraw({ requestId: id, approved: 1, now })).toBe(true)
      const votes = await storage().approvalRequests.confirmationsOf(id)
      expect(votes.map(({ status, withdrawnAt }) => `${status} ${withdrawnAt}`).sort()).toStrictEqual([
        'approved null',
        `expired ${now}`,
        `expired ${now}`,
      ])
      expect(await second.approve()).toBe('not_pending')
      expect(await storage().approvals.use(useOf(request, [first, second]))).toBe(false)
      expect(await storage().approvals.settle(rejection(request, second))).toBe(false)
      expect(await storage().approvalRequests.openOf(request.requestedBy, now)).toBe(0)
    })

    it('end once, by a stop or by a use at the same time, with all approvals given', async () => {
      for (let round = 0; round < 5; round += 1) {
        const { request, approvers } = await givenRequest(3)
        const [first, second, third] = approvers as [Approver, Approver, Approver]
        await first.approve()
        await second.approve()
        const stop = { requestId: request.id, userId: first.userId, reason: aSealedField(), now }
        const { approvals, approvalRequests } = storage()
        const [used, ...stopped] = await Promise.all([
          approvals.use(useOf(request, [first, second])),
          approvals.stop(stop),
          approvals.stop({ ...stop, userId: third.userId }),
        ])
        expect(tally([used, ...stopped], true)).toBe(1)
        const stoppedBy = used ? null : stopped[0] ? first.userId : third.userId
        expect(await approvalRequests.byId(request.id)).toMatchObject({
          status: used ? 'redeemed' : 'rejected',
          stoppedBy,
          stoppedAt: used ? null : now,
        })
        expect(await statusesOf(request)).toStrictEqual(['approved', 'approved', 'rejected'])
        expect(await consumedOf(request)).toHaveLength(used ? 2 : 0)
        const reasons = (await approvalRequests.confirmationsOf(request.id)).filter(({ rejectReason }) => rejectReason !== null)
        expect(reasons.map(({ userId }) => userId)).toStrictEqual(stoppedBy === null ? [] : [stoppedBy])
      }
    })

    it('are stopped only by a user who was asked, and only before their expiry', async () => {
      const { request, approvers } = await givenRequest(1)
      const [asked] = approvers as [Approver]
      const stop = { requestId: request.id, userId: asked.userId, reason: aSealedField(), now }
      const { approvals, approvalRequests } = storage()
      expect(await approvals.stop({ ...stop, userId: request.requestedBy })).toBe(false)
      expect(await approvals.stop({ ...stop, now: request.expiresAt })).toBe(false)
      expect(await approvalRequests.byId(request.id)).toStrictEqual(request)
      expect(await approvals.stop(stop)).toBe(true)
      expect(await approvals.stop(stop)).toBe(false)
    })

    it('are not rejected by the vote for another request, and not after their end', async () => {
      const [{ request, approvers }, other] = [await givenRequest(2), await givenRequest(1)]
      const [first, second] = approvers as [Approver, Approver]
      const [foreign] = other.approvers as [Approver]
      expect(await storage().approvals.settle(rejection(request, foreign))).toBe(false)
      expect(await statusesOf(request)).toStrictEqual(['pending', 'pending'])
      expect(await statusesOf(other.request)).toStrictEqual(['pending'])
      expect(await storage().approvals.settle(rejection(request, first))).toBe(true)
      expect(await storage().approvals.settle(rejection(request, second))).toBe(false)
    })

    it('end once, by the lock of their requester or by a use at the same time', async () => {
      for (let round = 0; round < 5; round += 1) {
        const { request, approvers } = await givenRequest(2)
        for (const { approve } of approvers) await approve()
        const [ended, redeemed] = await Promise.all([
          storage().approvals.endAllOfUser(request.requestedBy, now, 'account'),
          storage().approvals.use(useOf(request, approvers)),
        ])
        expect(ended).toStrictEqual([])
        const stored = await storage().approvalRequests.byId(request.id)
        expect(stored?.status).toBe(redeemed ? 'redeemed' : 'rejected')
        expect(await consumedOf(request)).toHaveLength(redeemed ? 2 : 0)
      }
    })

    it('do not deadlock if users ask each other at the same time', async () => {
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
  })

  describe('policies of action types', () => {
    it('are stored, one for each type, replaced and removed', async () => {
      const { actionPolicies } = storage()
      const actionType = `type_${randomUuid(systemRandom).replaceAll('-', '')}`
      const policy = { actionType, tenant: null, bands: [{ groups: [{ permission: 'payment.approve', count: 2 }] }] } as const
      expect(await actionPolicies.of(actionType, null)).toBeUndefined()
      expect(await actionPolicies.put({ ...policy, bands: [{ groups: 'none' }] })).toBe(1)
      expect(await actionPolicies.put(policy)).toBe(2)
      expect(await actionPolicies.of(actionType, null)).toStrictEqual({ ...policy, version: 2 })
      expect(await actionPolicies.of(actionType.toUpperCase(), null)).toBeUndefined()
      await actionPolicies.put({ ...policy, actionType: `${actionType}_a` })
      const added = (await actionPolicies.all()).filter((stored) => stored.actionType.startsWith(actionType))
      expect(added).toStrictEqual([
        { ...policy, version: 2 },
        { ...policy, actionType: `${actionType}_a`, version: 1 },
      ])
      expect(await actionPolicies.remove(actionType, null)).toBe(true)
      expect(await actionPolicies.remove(actionType, null)).toBe(false)
      expect(await actionPolicies.of(actionType, null)).toBeUndefined()
      expect(await actionPolicies.put(policy)).toBe(4)
      expect(await actionPolicies.put({ ...policy, bands: [{ groups: 'none' }] }, [{ groups: 'none' }])).toBe(5)
      expect(await actionPolicies.put(policy, [{ groups: 'none' }])).toBe(5)
    })

    it('of a tenant take precedence over the one without a tenant, and are removed separately', async () => {
      const { actionPolicies } = storage()
      const actionType = `type_${randomUuid(systemRandom).replaceAll('-', '')}`
      const everywhere = { actionType, tenant: null, bands: [{ groups: 'none' }] } as const
      const inAcme = { ...everywhere, tenant: 'acme', bands: [{ groups: [{ permission: 'a.b', count: 1 }] }] } as const
      await actionPolicies.put(inAcme)
      expect(await actionPolicies.of(actionType, null)).toBeUndefined()
      expect(await actionPolicies.of(actionType, 'beta')).toBeUndefined()
      await actionPolicies.put(everywhere)
      expect(await actionPolicies.of(actionType, 'acme')).toStrictEqual({ ...inAcme, version: 1 })
      expect(await actionPolicies.of(actionType, 'beta')).toStrictEqual({ ...everywhere, version: 1 })
      expect(await actionPolicies.remove(actionType, 'beta')).toBe(false)
      expect(await actionPolicies.remove(actionType, 'acme')).toBe(true)
      expect(await actionPolicies.of(actionType, 'acme')).toStrictEqual({ ...everywhere, version: 1 })
    })

    it('that a transaction has locked are not changed before it ends', async () => {
      const { actionPolicies } = storage()
      const actionType = `type_${randomUuid(systemRandom).replaceAll('-', '')}`
      const policy = { actionType, tenant: null, bands: [{ groups: 'none' }] } as const
      await actionPolicies.put(policy)
      for (let round = 0; round < 20; round += 1) {
        const held = storage().transaction(async (tx) => {
          const before = await tx.actionPolicies.of(actionType, null, 'hold')
          const reads = [before]
          for (let read = 0; read < 5; read += 1) reads.push(await tx.actionPolicies.of(actionType, null))
          return reads.map((policyRead) => policyRead?.version)
        })
        const [versions, version] = await Promise.all([held, actionPolicies.put(policy)])
        expect(new Set(versions).size).toBe(1)
        expect([version, version - 1]).toContain(versions[0])
      }
    })
  })
}
