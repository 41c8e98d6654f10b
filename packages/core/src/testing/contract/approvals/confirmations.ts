import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { days } from '../../../shared/clock.ts'
import type { FullStorage } from '../../../storage.ts'
import { aConfirmation, anApprovalRequest } from '../../builders.ts'
import { clockStart } from '../../fake-clock.ts'
import { atOnce, tally } from '../at-once.ts'
import { givenConfirmation, givenUser } from '../given.ts'

const later = clockStart + 1234

export const confirmationsContract = (storage: () => FullStorage): void => {
  describe('confirmations', () => {
    it('are returned as they were initiated', async () => {
      const { confirmations } = storage()
      const { id: userId } = await givenUser(storage())
      const confirmation = await givenConfirmation(storage(), { userId, actionType: 'sensitive_data_access' })
      expect(await confirmations.byId(confirmation.id)).toStrictEqual(confirmation)
      expect(await confirmations.byId(aConfirmation().id)).toBeUndefined()
    })

    it('are listed, counted and archived by their tenant', async () => {
      const { confirmations } = storage()
      const user = await givenUser(storage())
      const createdAt = clockStart - days(9000)
      const tenant = `tenant-${randomUUID()}`
      const own = await givenConfirmation(storage(), { userId: user.id, tenant, createdAt })
      for (const other of [null, tenant.toUpperCase()]) {
        await givenConfirmation(storage(), { userId: user.id, tenant: other, createdAt })
      }
      const query = { tenant, before: createdAt + 1, now: later }
      expect(await confirmations.page({ tenant, limit: 10, now: later })).toStrictEqual([own])
      expect(await confirmations.page({ tenant, status: 'expired', limit: 10, now: later })).toStrictEqual([own])
      expect(await confirmations.page({ tenant, status: 'pending', limit: 10, now: later })).toStrictEqual([])
      expect(await confirmations.countFinished(query)).toBe(1)
      expect(await confirmations.finished({ ...query, after: undefined, limit: 10 })).toStrictEqual([own])
    })

    it('that nobody decided are counted after their expiry, except for those of approval requests', async () => {
      const { approvalRequests, approvals } = storage()
      // A time of its own: the tests of a storage share a database.
      const createdAt = clockStart + days(5000)
      const { id: userId } = await givenUser(storage())
      const request = anApprovalRequest({ requestedBy: userId, requestedIn: null, createdAt })
      const vote = aConfirmation({ userId, approvalId: request.id, createdAt })
      expect(await approvalRequests.open(request, [vote], 10)).toBe(true)
      const [rejected, { expiresAt }] = [
        await givenConfirmation(storage(), { userId, createdAt }),
        await givenConfirmation(storage(), { userId, createdAt }),
      ]
      const rejection = {
        id: rejected.id,
        userId,
        outcome: 'rejected',
        deviceId: null,
        rejectReason: null,
        now: createdAt,
      } as const
      expect(await approvals.settle(rejection)).toBe(true)
      expect(await approvals.countExpired(createdAt, expiresAt - 1)).toMatchObject({ confirmation: 0 })
      expect(await approvals.countExpired(createdAt, expiresAt)).toMatchObject({ confirmation: 1 })
      expect(await approvals.countExpired(expiresAt, expiresAt + 1)).toMatchObject({ confirmation: 0 })
      expect(await approvals.countExpired(createdAt, request.expiresAt - 1)).toMatchObject({ request: 0 })
      expect(await approvals.countExpired(createdAt, request.expiresAt)).toMatchObject({ request: 1 })
      expect(await approvals.countExpired(request.expiresAt, request.expiresAt + 1)).toMatchObject({ request: 0 })
    })

    it('that are pending are all listed, except that only the newest of approval requests of others are', async () => {
      const { approvalRequests, confirmations } = storage()
      const [user, requester] = [await givenUser(storage()), await givenUser(storage())]
      const request = anApprovalRequest({ requestedBy: requester.id, requestedIn: null })
      const own = await givenConfirmation(storage(), { userId: user.id, createdAt: clockStart })
      const asked = await Promise.all(
        [1, 2, 3].map(async (age) => {
          const { id } = anApprovalRequest()
          const confirmation = aConfirmation({ userId: user.id, approvalId: id, createdAt: clockStart + age })
          await approvalRequests.open({ ...request, id }, [confirmation], 20)
          return confirmation
        }),
      )
      expect(await confirmations.pendingOfUser(user.id, later, 2)).toStrictEqual([asked[2], asked[1], own])
      expect(await confirmations.pendingOfUser(user.id, later)).toHaveLength(4)
    })

    describe('the limit of pending confirmations', () => {
      it('does not count confirmations that have expired when the new one is created', async () => {
        const { confirmations } = storage()
        const user = await givenUser(storage())
        const { expiresAt } = await givenConfirmation(storage(), { userId: user.id })
        expect(await confirmations.initiate(aConfirmation({ userId: user.id, createdAt: expiresAt - 1 }), 1)).toBe(false)
        expect(await confirmations.initiate(aConfirmation({ userId: user.id, createdAt: expiresAt }), 1)).toBe(true)
      })

      it('counts only the confirmations of one tenant if one is named', async () => {
        const { confirmations } = storage()
        const user = await givenUser(storage())
        const given = (tenant: string | null) => aConfirmation({ userId: user.id, tenant, initiatedBy: 'billing' })
        for (const tenant of ['acme', 'other', null]) await confirmations.initiate(given(tenant), 9)
        expect(await confirmations.initiate(given('acme'), 1, 'acme')).toBe(false)
        expect(await confirmations.initiate(given('acme'), 2, 'acme')).toBe(true)
        expect(await confirmations.initiate(given('acme'), 4)).toBe(false)
        expect(await confirmations.initiate(given('third'), 1, 'third')).toBe(true)
      })

      it('is respected by concurrent calls', async () => {
        const { confirmations } = storage()
        const user = await givenUser(storage())
        const outcomes = await atOnce(50, () => confirmations.initiate(aConfirmation({ userId: user.id }), 5))
        expect(tally(outcomes, true)).toBe(5)
        expect(await confirmations.pendingOfUser(user.id, later)).toHaveLength(5)
      })
    })
  })
}
