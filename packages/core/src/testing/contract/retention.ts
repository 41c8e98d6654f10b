import { describe, expect, it } from 'vitest'
import type { Confirmation } from '../../approvals/records/confirmation.ts'
import type { Device } from '../../identity/records/device.ts'
import { days, minutes } from '../../shared/clock.ts'
import { randomUuid, systemRandom } from '../../shared/random.ts'
import type { FullStorage } from '../../storage.ts'
import { aConfirmation, anApprovalRequest, anExpense, aResource, aServiceToken } from '../builders.ts'
import {
  type Approver,
  givenApprover,
  givenConfirmation,
  givenCustomer,
  givenDevice,
  givenPasskey,
  givenProject,
  givenUser,
} from './given.ts'
import { plainQuery } from './projects/expected-list.ts'

/** A time long before the rows of other tests of a shared database, so that no sweep deletes them. */
const then = Date.UTC(1991, 0, 1)
/** A time at which everything of `then` has ended. */
const later = then + days(2)

export const retentionContract = (storage: () => FullStorage): void => {
  describe('the retention of records', () => {
    const given = () => givenApprover(storage(), then)
    const approve = async (approver: Approver, id: string) => expect(await approver.approve(id)).toBe('approved')
    const givenAt = (userId: number, createdAt: number, overrides: Partial<Confirmation> = {}) =>
      givenConfirmation(storage(), { userId, createdAt, expiresAt: createdAt + minutes(5), updatedAt: createdAt, ...overrides })
    const isKept = async ({ userId }: Approver, id: string) => (await storage().confirmations.byId(id))?.userId === userId
    const consume = ({ userId }: Approver, id: string) =>
      storage().approvals.use({
        confirmationId: id,
        userId,
        consumedBy: 'service:billing',
        consumedKey: null,
        receipt: null,
        approvedSince: 0,
        now: later,
      })

    it('deletes approved confirmations that are older than the limit, which nobody can use afterwards', async () => {
      const approver = await given()
      const [old, recent] = [await givenAt(approver.userId, then), await givenAt(approver.userId, then + 1)]
      for (const { id } of [old, recent]) await approve(approver, id)
      await storage().sweep(later, { refusals: later })
      expect(await isKept(approver, old.id)).toBe(true)
      await storage().sweep(later, { approvals: then + 1 })
      expect(await isKept(approver, old.id)).toBe(false)
      expect(await consume(approver, old.id)).toBe(false)
      expect(await isKept(approver, recent.id)).toBe(true)
      expect(await consume(approver, recent.id)).toBe(true)
    })

    it('deletes rejected and expired confirmations that are older than the limit, and none that is still pending', async () => {
      const approver = await given()
      const [rejected, expired, recent, pending] = [
        await givenAt(approver.userId, then),
        await givenAt(approver.userId, then),
        await givenAt(approver.userId, then + 1),
        await givenAt(approver.userId, then, { expiresAt: later + 1 }),
      ]
      const settlement = { userId: approver.userId, outcome: 'rejected', deviceId: null, rejectReason: null } as const
      expect(await storage().approvals.settle({ ...settlement, id: rejected.id, now: then })).toBe(true)
      await storage().sweep(later, { approvals: later })
      expect(await isKept(approver, rejected.id)).toBe(true)
      const { confirmations } = await storage().sweep(later, { refusals: then + 1 })
      expect(confirmations).toBeGreaterThanOrEqual(2)
      const kept = await Promise.all([rejected, expired, recent, pending].map(({ id }) => isKept(approver, id)))
      expect(kept).toEqual([false, false, true, true])
    })

    it('deletes withdrawn confirmations and requests like expired ones, also before their expiry', async () => {
      const approver = await given()
      const requester = await givenUser(storage(), { createdAt: then })
      const of = { userId: approver.userId, now: then }
      const { id } = await givenAt(approver.userId, then, { expiresAt: later + 1 })
      expect(await storage().approvals.withdraw({ ...of, confirmationId: id, initiatedBy: null })).toBe(true)
      const request = anApprovalRequest({ requestedBy: requester.id, createdAt: then, expiresAt: later + 1 })
      expect(await storage().approvalRequests.open(request, [], 10)).toBe(true)
      expect(await storage().approvals.withdraw({ requestId: request.id, approved: 0, now: then })).toBe(true)
      await storage().sweep(later, { refusals: then })
      expect([await isKept(approver, id), (await storage().approvalRequests.byId(request.id))?.status]).toEqual([true, 'expired'])
      await storage().sweep(later, { refusals: then + 1 })
      expect([await isKept(approver, id), await storage().approvalRequests.byId(request.id)]).toEqual([false, undefined])
    })

    it('keeps the approvals of an open request, and deletes both after the end of the request', async () => {
      const approver = await given()
      const requester = await givenUser(storage(), { createdAt: then })
      const request = anApprovalRequest({ requestedBy: requester.id, createdAt: then, expiresAt: later, count: 1 })
      const asked = aConfirmation({ userId: approver.userId, approvalId: request.id, createdAt: then, expiresAt: later })
      expect(await storage().approvalRequests.open(request, [asked], 10)).toBe(true)
      await approve(approver, asked.id)
      const limits = { approvals: later, refusals: later }
      await storage().sweep(later - 1, limits)
      expect(await storage().approvalRequests.byId(request.id)).toEqual(request)
      expect(await isKept(approver, asked.id)).toBe(true)
      await storage().sweep(later, limits)
      expect(await storage().approvalRequests.byId(request.id)).toBeUndefined()
      expect(await isKept(approver, asked.id)).toBe(false)
    })

    it('deletes a vouching after its confirmation and its device, so that no service can use its approval', async () => {
      const approver = await given()
      const { vouchings, devices } = storage()
      const vouched = await givenDevice(storage(), { userId: approver.userId, createdAt: then })
      const asked = await givenAt(approver.userId, then + 10, { actionType: 'device_register' })
      const vouching = {
        userId: approver.userId,
        kind: 'device',
        subjectId: vouched.id,
        registeredBy: null,
        confirmationId: asked.id,
        startedByRegistration: true,
        restarts: 0,
        restartsSince: null,
        createdAt: then,
      } as const
      await vouchings.put(vouching)
      await approve(approver, asked.id)
      await devices.remove(approver.userId, vouched.id, then + 20)
      await storage().sweep(later, { approvals: then + 10 })
      expect(await vouchings.find(vouching)).toEqual(vouching)
      expect(await consume(approver, asked.id)).toBe(false)
      await storage().sweep(later, { approvals: then + 11 })
      expect(await isKept(approver, asked.id)).toBe(false)
      expect(await vouchings.find(vouching)).toBeUndefined()
    })

    it('deletes removed devices with the proof of their keys, and no active device', async () => {
      const registered = async () => {
        const { id: userId } = await givenUser(storage(), { createdAt: then })
        return givenDevice(storage(), { userId, createdAt: then }, 'with evidence')
      }
      const [gone, active] = [await registered(), await registered()]
      const { devices } = storage()
      const proofOf = async ({ userId, id }: Device) => devices.evidenceOf(userId, id)
      await devices.remove(gone.userId, gone.id, then)
      await storage().sweep(later, { approvals: then })
      expect(await proofOf(gone)).toBeDefined()
      expect((await storage().sweep(later, { approvals: then + 1 })).removedDevices).toBeGreaterThanOrEqual(1)
      expect(await proofOf(gone)).toBeUndefined()
      expect(await proofOf(active)).toBeDefined()
      expect(await devices.ofUser(active.userId, active.id)).toEqual(active)
    })

    it('deletes the keys of removed passkeys', async () => {
      const { passkeys } = storage()
      const { id: userId } = await givenUser(storage())
      const { id, spki } = await givenPasskey(storage(), { userId })
      await passkeys.remove(userId, id, then)
      await storage().sweep(later, { approvals: then })
      expect(await passkeys.removedOfUser(userId)).toStrictEqual([{ spki, removedAt: then }])
      expect((await storage().sweep(later, { approvals: then + 1 })).removedPasskeys).toBeGreaterThanOrEqual(1)
      expect(await passkeys.removedOfUser(userId)).toStrictEqual([])
    })

    it('deletes expired service tokens, and keeps a revoked one until it has expired', async () => {
      const { serviceTokens } = storage()
      const [expired, revoked] = [
        aServiceToken({ createdAt: then, expiresAt: then + 1 }),
        aServiceToken({ createdAt: then, expiresAt: later + days(1) }),
      ]
      for (const token of [expired, revoked]) await serviceTokens.add(token)
      await serviceTokens.revoke(revoked.id, then)
      expect((await storage().sweep(later, { serviceTokens: later })).serviceTokens).toBe(1)
      const ids = (await serviceTokens.list()).map(({ id }) => id)
      expect(ids).not.toContain(expired.id)
      expect(ids).toContain(revoked.id)
    })

    it('deletes removed projects with everything that belongs to them, and no other project', async () => {
      const { id: customerId } = await givenCustomer(storage())
      const [removed, visible] = [await givenProject(storage(), { customerId }), await givenProject(storage(), { customerId })]
      const { resources, expenses } = storage().projects
      const [resourcesImport, expensesImport] = [randomUuid(systemRandom), randomUuid(systemRandom)]
      await resources.stage(resourcesImport, [aResource({ projectId: removed.id }), aResource({ projectId: visible.id })], then)
      await expenses.stage(expensesImport, [anExpense({ projectId: removed.id })], then)
      await resources.commitImport(resourcesImport)
      await expenses.commitImport(expensesImport)
      await storage().transaction((tx) => tx.projects.projects.remove(removed.uniqueCode, null, then))
      expect((await storage().sweep(later, { removedProjects: then })).removedProjects).toBeUndefined()
      expect((await storage().sweep(later, { removedProjects: then + 1 })).removedProjects).toBe(1)
      const page = await storage().projects.projects.list({ ...plainQuery, filters: { customerId } })
      expect(page).toMatchObject({ total: 1, projects: [{ id: visible.id }] })
      expect(await resources.counts(visible.uniqueCode)).toHaveLength(1)
      // The code is free again.
      await givenProject(storage(), { customerId, uniqueCode: removed.uniqueCode })
    })

    it('lists and deletes finished confirmations, oldest first and page by page, and none of an open request', async () => {
      const approver = await given()
      const { confirmations } = storage()
      const approved = await givenAt(approver.userId, then)
      const [expired, sameTime] = [await givenAt(approver.userId, then + 1), await givenAt(approver.userId, then + 1)]
      const pending = await givenAt(approver.userId, then, { expiresAt: later + 1 })
      const recent = await givenAt(approver.userId, then + 2)
      await approve(approver, approved.id)
      const request = anApprovalRequest({ requestedBy: approver.userId, createdAt: then, expiresAt: later + 1, count: 1 })
      const { userId } = await given()
      const asked = aConfirmation({ userId, approvalId: request.id, createdAt: then, expiresAt: later })
      await storage().approvalRequests.open(request, [asked], 10)

      const query = { before: then + 2, now: later }
      const expected = [approved.id, ...[expired.id, sameTime.id].sort()]
      const all = await confirmations.finished({ ...query, after: undefined, limit: 10 })
      expect(all.map(({ id }) => id)).toEqual(expected)
      expect(all[0]).toEqual(await confirmations.byId(approved.id))
      expect(await confirmations.countFinished(query)).toBe(3)
      const [first] = await confirmations.finished({ ...query, after: undefined, limit: 1 })
      const [second] = await confirmations.finished({ ...query, after: first, limit: 1 })
      const rest = await confirmations.finished({ ...query, after: second, limit: 10 })
      expect([first, second, ...rest].map((one) => one?.id)).toEqual(expected)

      const ids = [...expected, pending.id, recent.id, asked.id, 'conf_unknown']
      expect(await confirmations.deleteFinished(ids, query)).toBe(3)
      expect(await confirmations.deleteFinished(ids, query)).toBe(0)
      expect(await confirmations.finished({ ...query, after: undefined, limit: 10 })).toEqual([])
      for (const { id } of [pending, recent, asked]) expect(await confirmations.byId(id)).toBeDefined()
      await confirmations.deleteFinished([recent.id], { before: later, now: later })
    })

    it('counts what a sweep would delete, and deletes nothing', async () => {
      const approver = await given()
      const confirmation = await givenAt(approver.userId, then)
      await approve(approver, confirmation.id)
      await storage().serviceTokens.add(aServiceToken({ createdAt: then, expiresAt: then }))
      const limits = { approvals: then + 1, serviceTokens: then + 1 }
      const counted = await storage().sweepable(later, limits)
      expect(await isKept(approver, confirmation.id)).toBe(true)
      expect(await storage().sweepable(later, limits)).toEqual(counted)
      expect(counted).toMatchObject({ confirmations: expect.any(Number), serviceTokens: 1 })
      expect(await storage().sweep(later, limits)).toEqual(counted)
      expect(await storage().sweepable(later, limits)).toEqual({})
      expect(await storage().sweepable(later)).toEqual({})
    })
  })
}
