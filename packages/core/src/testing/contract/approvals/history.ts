import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { Confirmation } from '../../../approvals/records/confirmation.ts'
import type { ListPosition } from '../../../shared/list-page.ts'
import type { FullStorage } from '../../../storage.ts'
import { anApprovalRequest } from '../../builders.ts'
import { clockStart } from '../../fake-clock.ts'
import { givenConfirmation, givenSession, givenUser } from '../given.ts'

const now = clockStart + 1234
const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id)

/** Declares tests of the pages that a person reads of what they were asked and asked for. */
export const historyContract = (storage: () => FullStorage): void => {
  describe('the history of a user', () => {
    it('has the confirmations that a bound session reaches, or that one session asked for', async () => {
      const { id: userId } = await givenUser(storage())
      const session = await givenSession(storage(), { userId })
      const create = (changes: Partial<Confirmation>) => givenConfirmation(storage(), { ...changes, userId })
      const [acme, free] = [await create({ tenant: 'acme' }), await create({ requestedBy: session.id })]
      const vouching = await create({ boundTo: ['acme'] })
      await create({ tenant: 'other' })
      const page = { userId, limit: 10, now }
      const list = async (more: object) => idsOf(await storage().confirmations.page({ ...page, ...more })).sort()
      expect(await list({ reachedBy: null })).toHaveLength(4)
      expect(await list({ reachedBy: ['acme'] })).toEqual(idsOf([acme, vouching]).sort())
      expect(await list({ requestedBy: session.id })).toEqual([free.id])
      expect(await list({ requestedBy: randomUUID() })).toEqual([])
      expect(await list({ requestedBy: session.id, status: 'pending', reachedBy: ['acme'] })).toEqual([])
    })

    it('has the requests of the user, newest first, then by id, by every status that the store knows', async () => {
      const { approvalRequests, approvals } = storage()
      const { id: requestedBy } = await givenUser(storage())
      const session = await givenSession(storage(), { userId: requestedBy })
      const open = async (changes: Partial<Parameters<typeof anApprovalRequest>[0]>) => {
        const request = anApprovalRequest({ requestedBy, requestedIn: null, ...changes })
        expect(await approvalRequests.open(request, [], 100)).toBe(true)
        return request
      }
      const expired = await open({ createdAt: clockStart - 9, expiresAt: clockStart })
      const same = [
        await open({ tenant: 'acme' }),
        await open({ requestedIn: session.id }),
        await open({ actionType: 'user_access' }),
      ]
      const withdrawn = await open({ createdAt: clockStart + 1 })
      expect(await approvals.withdraw({ requestId: withdrawn.id, approved: 0, now })).toBe(true)
      const all = [withdrawn, ...same.toSorted((one, other) => (one.id < other.id ? 1 : -1)), expired]
      const list = async (more: object) =>
        idsOf(await approvalRequests.page({ requestedBy, tenants: null, limit: 10, now, ...more }))
      expect(await list({})).toEqual(idsOf(all))
      const seen: string[] = []
      for (let after: ListPosition | undefined; ; ) {
        const [next] = await approvalRequests.page({ requestedBy, tenants: null, limit: 1, now, after })
        if (next === undefined) break
        seen.push(next.id)
        after = { createdAt: next.createdAt, id: next.id }
      }
      expect(seen).toEqual(idsOf(all))
      for (const status of ['pending', 'approved']) expect(await list({ status })).toEqual(idsOf(all.slice(1, 4)))
      expect(await list({ status: 'expired' })).toEqual(idsOf(all))
      for (const status of ['rejected', 'redeemed']) expect(await list({ status })).toEqual([])
      expect(await list({ tenants: ['acme'] })).toEqual([same[0]?.id])
      expect(await list({ requestedIn: session.id })).toEqual([same[1]?.id])
      expect(await list({ actionType: 'user_access' })).toEqual([same[2]?.id])
      expect(await list({ since: clockStart, before: clockStart + 1 })).toEqual(idsOf(all.slice(1, 4)))
      expect(await approvalRequests.page({ requestedBy: 0, tenants: null, limit: 10, now })).toEqual([])
    })
  })
}
