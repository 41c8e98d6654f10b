import { setTimeout } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { LiveChange } from '../../../approvals/records/live-change.ts'
import type { FullStorage } from '../../../storage.ts'
import { aConfirmation, anApprovalRequest } from '../../builders.ts'
import { clockStart } from '../../fake-clock.ts'
import { givenApprover, givenConfirmation, givenDevice, givenSession, givenUser } from '../given.ts'

const now = clockStart + 5
/** Bounds a test that hangs. It promises no time. */
const WAIT = { timeout: 30_000, interval: 20 }

export const liveChangesContract = (storage: () => FullStorage): void => {
  describe('watching changes', () => {
    /** Collects the changes of some users, from the time on at which the storage follows the database. */
    const givenWatch = async (...userIds: readonly number[]) => {
      const { id: witness } = await givenUser(storage())
      const seen: LiveChange[] = []
      let isFollowing = false
      let calls = 0
      const stop = storage().watchChanges((changes) => {
        calls += 1
        if (changes === 'unknown') return
        seen.push(...changes.filter(({ userId }) => userIds.includes(userId)))
        isFollowing ||= changes.some(({ userId }) => userId === witness)
      })
      onTestFinished(stop)
      // The storage reports only changes that happen after it begins to follow the database. So the helper opens sessions until one
      // is reported.
      await expect
        .poll(async () => {
          if (!isFollowing) await givenSession(storage(), { userId: witness })
          return isFollowing
        }, WAIT)
        .toBe(true)
      seen.length = 0
      const expectSeen = async (...expected: readonly object[]) => {
        await expect.poll(() => seen, WAIT).toMatchObject(expected)
        seen.length = 0
      }
      return { expectSeen, seen, stop, calls: () => calls }
    }

    it('reports a new confirmation and its settlement, each once, with the session that asked', async () => {
      const { id: userId } = await givenUser(storage())
      const { id: sessionId } = await givenSession(storage(), { userId })
      const { expectSeen } = await givenWatch(userId)
      const { id, expiresAt } = await givenConfirmation(storage(), { userId, requestedBy: sessionId })
      const change = { kind: 'confirmation', id, userId, sessionId, expiresAt }
      await expectSeen({ ...change, status: 'pending' })
      const rejection = { id, userId, outcome: 'rejected', deviceId: null, rejectReason: null, now } as const
      expect(await storage().approvals.settle(rejection)).toBe(true)
      expect(await storage().approvals.settle(rejection)).toBe(false)
      await expectSeen({ ...change, status: 'rejected' })
    })

    it('reports an approval, a withdrawal, the last wrong signature and the rejection of everything', async () => {
      const { userId, approve } = await givenApprover(storage(), now)
      const [first, second, third, fourth] = await Promise.all(
        Array.from({ length: 4 }, () => givenConfirmation(storage(), { userId })),
      )
      const { approvals, confirmations } = storage()
      const { expectSeen } = await givenWatch(userId)
      expect(await approve(first?.id ?? '')).toBe('approved')
      await expectSeen({ id: first?.id, status: 'approved' })
      expect(await approvals.withdraw({ confirmationId: second?.id ?? '', userId, initiatedBy: null, now })).toBe(true)
      await expectSeen({ id: second?.id, status: 'expired' })
      const wrong = { userId, id: third?.id ?? '', counter: 'wrongSignatures', limit: 2, now } as const
      for (const attempt of [wrong, wrong]) await confirmations.countWrong(attempt)
      await expectSeen({ id: third?.id, status: 'rejected' })
      expect(await approvals.endAllOfUser(userId, now, 'account')).toHaveLength(1)
      await expectSeen({ id: fourth?.id, status: 'rejected' })
    })

    it('reports each vote on an approval request and its end to the requester and to every user who was asked', async () => {
      const [requester, voter, other] = [
        await givenUser(storage()),
        await givenApprover(storage(), now),
        await givenUser(storage()),
      ]
      const { id: requestedIn } = await givenSession(storage(), { userId: requester.id })
      const request = anApprovalRequest({ requestedBy: requester.id, requestedIn })
      const asked = [voter.userId, other.id].map((userId) => aConfirmation({ userId, approvalId: request.id }))
      const { expectSeen } = await givenWatch(requester.id)
      const { expectSeen: expectSeenByOther } = await givenWatch(other.id)
      await storage().approvalRequests.open(request, asked, 1000)
      const change = { kind: 'approval_request', id: request.id, userId: requester.id, sessionId: requestedIn }
      await expectSeen({ ...change, status: 'pending', expiresAt: request.expiresAt })
      await expectSeenByOther({ kind: 'confirmation', id: asked[1]?.id, status: 'pending' })
      expect(await voter.approve(asked[0]?.id ?? '')).toBe('approved')
      await expectSeen({ ...change, status: 'pending' })
      const toOther = { ...change, userId: other.id }
      await expectSeenByOther({ ...toOther, status: 'pending', expiresAt: request.expiresAt })
      expect(await storage().approvals.withdraw({ requestId: request.id, approved: 1, now })).toBe(true)
      await expectSeen({ ...change, status: 'expired' })
      const own = { kind: 'confirmation', id: asked[1]?.id, status: 'expired' }
      await expectSeenByOther({ ...toOther, status: 'expired' }, own)
    })

    it('reports opened and ended sessions, trust and locks of the user', async () => {
      const { id: userId } = await givenUser(storage())
      const { id: deviceId } = await givenDevice(storage(), { userId, trustedAt: null })
      const { expectSeen } = await givenWatch(userId)
      const account = { kind: 'account', userId }
      const { id } = await givenSession(storage(), { userId })
      await expectSeen(account)
      await storage().sessions.end(id, 'logout', now)
      await expectSeen(account)
      await storage().trust.makeTrusted({ userId, kind: 'device', id: deviceId }, now)
      await expectSeen(account)
      await storage().users.setLock(userId, now, now)
      await expectSeen(account)
    })

    it('reports nothing of a transaction that is rolled back', async () => {
      const { id: userId } = await givenUser(storage())
      const { expectSeen, seen } = await givenWatch(userId)
      const failing = storage().transaction(async (tx) => {
        await givenConfirmation(tx, { userId })
        throw new Error('rolled back')
      })
      await expect(failing).rejects.toThrow('rolled back')
      const { id } = await givenConfirmation(storage(), { userId })
      await expectSeen({ id })
      expect(seen).toEqual([])
    })

    it('ends the calls when it is stopped, and calls at least twice a second until then', async () => {
      const { calls, stop } = await givenWatch()
      const before = calls()
      // These timers are as late as the timers of the storage.
      for (let turn = 0; turn < 10; turn += 1) await setTimeout(100)
      expect(calls()).toBeGreaterThan(before + 1)
      stop()
      const stopped = calls()
      await setTimeout(300)
      expect(calls()).toBe(stopped)
    })

    it('lists what will expire: the pending confirmations and the open requests of the user', async () => {
      const { id: userId } = await givenUser(storage())
      const { id: sessionId } = await givenSession(storage(), { userId })
      const { id, expiresAt } = await givenConfirmation(storage(), { userId, requestedBy: sessionId })
      const settled = await givenConfirmation(storage(), { userId })
      await storage().approvals.withdraw({ confirmationId: settled.id, userId, initiatedBy: null, now })
      await givenConfirmation(storage(), { userId: (await givenUser(storage())).id })
      const request = anApprovalRequest({ requestedBy: userId, requestedIn: sessionId })
      await storage().approvalRequests.open(request, [], 1000)
      const waits = { userId, sessionId, status: 'pending', tenant: null, boundTo: null }
      const found = await storage().confirmations.expiring(userId, now)
      expect(found.toSorted((a, b) => a.kind.localeCompare(b.kind))).toStrictEqual([
        { kind: 'approval_request', id: request.id, expiresAt: request.expiresAt, ...waits },
        { kind: 'confirmation', id, expiresAt, ...waits },
      ])
      expect(await storage().confirmations.expiring(userId, expiresAt + 86_400_000_000)).toEqual([])
    })
  })
}
