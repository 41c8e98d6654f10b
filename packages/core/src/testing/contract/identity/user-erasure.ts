import { describe, expect, it } from 'vitest'
import type { Vouching } from '../../../approvals/records/vouching.ts'
import { erasedField } from '../../../shared/crypto/field-encryption.ts'
import { randomUuid, systemRandom } from '../../../shared/random.ts'
import type { FullStorage } from '../../../storage.ts'
import { aChallenge, aConfirmation, aNewUser, anApprovalRequest, anEvidence, aSealedField } from '../../builders.ts'
import { clockStart } from '../../fake-clock.ts'
import { atOnce } from '../at-once.ts'
import { givenConfirmation, givenDevice, givenPasskey, givenSession, givenUser } from '../given.ts'

const later = clockStart + 1234
const run = randomUuid(systemRandom)
const challengeOf = (userId: number): string => `challenge-${run}-${userId}`
const aVouching: Omit<Vouching, 'userId'> = {
  ...{ kind: 'device', subjectId: 'a device', registeredBy: null, confirmationId: null },
  ...{ startedByRegistration: true, restarts: 0, restartsSince: null, createdAt: clockStart },
}

export const userErasureContract = (storage: () => FullStorage): void => {
  describe('an erased user', () => {
    const givenErased = async () => {
      const user = await givenUser(storage(), { passwordHash: 'a hash', directoryId: `host-${aNewUser().email}` })
      const session = await givenSession(storage(), { userId: user.id })
      expect(await storage().users.erase(user.id, later)).toStrictEqual({ sessions: 1, devices: 0, passkeys: 0 })
      return { user, session }
    }

    it('is returned by no method', async () => {
      const { user } = await givenErased()
      const { users } = storage()
      expect(await users.byId(user.id)).toBeUndefined()
      expect(await users.byEmail(user.email)).toBeUndefined()
      expect(await users.byEmail(`erased-${user.id}@users.invalid`)).toBeUndefined()
      expect(await users.list({ emails: [user.email, `erased-${user.id}@users.invalid`], limit: 500 })).toStrictEqual([])
      expect(await users.byDirectoryId(user.directoryId ?? '')).toBeUndefined()
      expect(await users.list({ ids: [user.id], limit: 1001 })).toStrictEqual([])
      expect(await users.list({ afterId: user.id - 1, limit: 1 })).not.toContainEqual(expect.objectContaining({ id: user.id }))
    })

    it('is erased exactly once by concurrent callers', async () => {
      const user = await givenUser(storage())
      const outcomes = await atOnce(20, () => storage().users.erase(user.id, later))
      expect(outcomes.filter(Boolean)).toHaveLength(1)
      expect(await storage().users.erase(user.id, later)).toBeUndefined()
      expect(await storage().users.erase(2_000_000_000, later)).toBeUndefined()
    })

    it('is changed by no method', async () => {
      const { user } = await givenErased()
      const { users } = storage()
      for (const version of [user.version, user.version + 1]) {
        expect(await users.change(user.id, version, { name: 'Somebody', disabledAt: null }, later)).toBeUndefined()
        expect(await users.admit(user.id, version)).toBe(false)
      }
      expect(await users.setLock(user.id, later, later)).toBeUndefined()
      expect(await users.setLock(user.id, null, later)).toBeUndefined()
      expect(await users.byId(user.id)).toBeUndefined()
    })

    it('frees the email and the directory id, and keeps the id', async () => {
      const { user } = await givenErased()
      const next = await givenUser(storage(), { email: user.email, directoryId: user.directoryId })
      expect(next.id).toBeGreaterThan(user.id)
      expect(await storage().users.erase(next.id, later)).toBeDefined()
      expect(await storage().users.byEmail(user.email)).toBeUndefined()
    })
  })

  describe('the erasure of the data of a user', () => {
    it('empties the devices of the user and removes them', async () => {
      const { devices } = storage()
      const [user, other] = [await givenUser(storage()), await givenUser(storage())]
      const device = await givenDevice(storage(), { userId: user.id, pushToken: aSealedField() })
      const second = await givenDevice(storage(), { userId: user.id })
      const removed = await givenDevice(storage(), { userId: user.id })
      await devices.remove(user.id, removed.id, later)
      const kept = await givenDevice(storage(), { userId: other.id, deviceFingerprint: device.deviceFingerprint })
      expect(await devices.removedOfUser(user.id)).toStrictEqual([{ ...removed, updatedAt: later, removedAt: later }])
      expect(await storage().users.erase(user.id, later)).toMatchObject({ devices: 2 })
      const emptied = await devices.removedOfUser(user.id)
      expect(emptied.map(({ id }) => id).sort()).toStrictEqual([device.id, second.id, removed.id].sort())
      for (const one of emptied)
        expect(one).toMatchObject({ deviceName: '', deviceFingerprint: '', pushToken: null, removedAt: later })
      expect(await devices.allOfUser(user.id)).toStrictEqual([])
      expect(await devices.byId(second.id)).toBeUndefined()
      expect(await devices.withFingerprint(device.deviceFingerprint)).toStrictEqual([kept])
    })

    it('empties every confirmation, and keeps its challenge, status and signature', async () => {
      const { confirmations } = storage()
      const [user, other] = [await givenUser(storage()), await givenUser(storage())]
      const full = {
        statement: aSealedField(),
        matchNumber: aSealedField(),
        rejectReason: aSealedField(),
        consumedReceipt: aSealedField(),
        evidence: anEvidence(),
        status: 'approved',
      } as const
      const first = await givenConfirmation(storage(), { userId: user.id, ...full })
      const second = await givenConfirmation(storage(), { userId: user.id, createdAt: clockStart + 1 })
      const kept = await givenConfirmation(storage(), { userId: other.id, ...full })
      expect(await confirmations.allOfUser(user.id)).toStrictEqual([first, second])
      await storage().approvals.eraseAllOfUser(user.id)
      const empty = {
        payload: erasedField,
        nonce: erasedField,
        statement: erasedField,
        requestedFrom: null,
        matchNumber: null,
        rejectReason: null,
        consumedReceipt: null,
      }
      expect(await confirmations.allOfUser(user.id)).toStrictEqual([
        { ...first, ...empty },
        { ...second, ...empty },
      ])
      expect(await confirmations.byId(kept.id)).toStrictEqual(kept)
    })

    it('can list every request of the user, oldest first', async () => {
      const { approvalRequests } = storage()
      const [user, other] = [await givenUser(storage()), await givenUser(storage())]
      const [second, first, foreign] = [
        anApprovalRequest({ requestedBy: user.id, createdAt: clockStart + 1 }),
        anApprovalRequest({ requestedBy: user.id }),
        anApprovalRequest({ requestedBy: other.id }),
      ]
      for (const request of [second, first, foreign]) expect(await approvalRequests.open(request, [], 10)).toBe(true)
      await storage().approvals.endAllOfUser(user.id, clockStart + 2, 'account')
      const rejected = { status: 'rejected' } as const
      expect(await approvalRequests.allOfRequester(user.id)).toStrictEqual([
        { ...first, ...rejected },
        { ...second, ...rejected },
      ])
      expect(await approvalRequests.allOfRequester(0)).toStrictEqual([])
    })

    it('erases the payload of the requests of the user, and the client in the confirmations of the approvers', async () => {
      const { approvalRequests, confirmations } = storage()
      const [user, approver, other] = [await givenUser(storage()), await givenUser(storage()), await givenUser(storage())]
      const [own, foreign] = [anApprovalRequest({ requestedBy: user.id }), anApprovalRequest({ requestedBy: other.id })]
      const asked = (approvalId: string) =>
        aConfirmation({ userId: approver.id, approvalId, requestedFrom: aSealedField(), statement: aSealedField() })
      const [changed, kept] = [asked(own.id), asked(foreign.id)]
      await approvalRequests.open(own, [changed], 10)
      await approvalRequests.open(foreign, [kept], 10)
      await storage().approvals.eraseAllOfUser(user.id)
      expect(await approvalRequests.byId(own.id)).toStrictEqual({ ...own, payload: erasedField })
      expect(await approvalRequests.byId(foreign.id)).toStrictEqual(foreign)
      expect(await confirmations.byId(changed.id)).toStrictEqual({ ...changed, requestedFrom: null })
      expect(await confirmations.byId(kept.id)).toStrictEqual(kept)
    })

    it('ends every session, and erases the client of ended sessions too', async () => {
      const { sessions } = storage()
      const [user, other] = [await givenUser(storage()), await givenUser(storage())]
      const openedFrom = aSealedField()
      const ended = await givenSession(storage(), { userId: user.id, openedFrom })
      const live = await givenSession(storage(), { userId: user.id, openedFrom, createdAt: clockStart + 1 })
      const kept = await givenSession(storage(), { userId: other.id, openedFrom })
      await sessions.end(ended.id, 'logout', clockStart + 2)
      const logout = { ...ended, endedAt: clockStart + 2, endReason: 'logout' }
      expect(await sessions.ofUser(user.id)).toStrictEqual([live, logout])
      expect(await storage().users.erase(user.id, later)).toMatchObject({ sessions: 1 })
      expect(await sessions.status(live.id)).toBeUndefined()
      expect(await sessions.ofUser(user.id)).toStrictEqual([
        { ...live, openedFrom: null, endedAt: later, endReason: 'user_deleted' },
        { ...logout, openedFrom: null },
      ])
      expect(await sessions.ofUser(other.id)).toStrictEqual([kept])
    })
  })

  /** For each store whose rows are deleted: gives a user a row, deletes the rows of a user, and says whether a user has the row. */
  const deletions: Readonly<
    Record<
      string,
      {
        readonly give: (userId: number) => Promise<unknown>
        readonly deleteAll: (userId: number) => Promise<unknown>
        readonly has: (userId: number) => Promise<boolean>
      }
    >
  > = {
    'evidence of registrations': {
      give: (userId) => givenDevice(storage(), { userId }, 'with evidence'),
      deleteAll: (userId) => storage().users.erase(userId, later),
      has: async (userId) => {
        const [device] = await storage().devices.allOfUser(userId)
        return (await storage().devices.evidenceOf(userId, device?.id ?? '')) !== undefined
      },
    },
    passkeys: {
      give: (userId) => givenPasskey(storage(), { userId }),
      deleteAll: (userId) => storage().users.erase(userId, later),
      has: async (userId) => (await storage().passkeys.allOfUser(userId)).length > 0,
    },
    'keys of removed passkeys': {
      give: async (userId) => {
        const { id } = await givenPasskey(storage(), { userId })
        await storage().passkeys.remove(userId, id, later)
      },
      deleteAll: (userId) => storage().users.erase(userId, later),
      has: async (userId) => (await storage().passkeys.removedOfUser(userId)).length > 0,
    },
    'user handle': {
      give: (userId) => storage().passkeys.userHandle(userId, 'first'),
      deleteAll: (userId) => storage().users.erase(userId, later),
      has: async (userId) => (await storage().passkeys.userHandle(userId, 'second')) === 'first',
    },
    challenges: {
      give: (userId) => storage().challenges.issue(aChallenge('device_registration', { userId, id: challengeOf(userId) })),
      deleteAll: (userId) => storage().users.erase(userId, later),
      has: (userId) => storage().challenges.wasIssued(challengeOf(userId), 'device_registration', userId),
    },
    delegations: {
      give: async (to) => {
        const { id: from } = await givenUser(storage())
        await storage().delegations.put({ from, to, permission: 'payment.approve', until: clockStart + 1, createdAt: clockStart })
      },
      deleteAll: (userId) => storage().users.erase(userId, later),
      has: async (userId) => (await storage().delegations.running({ userId }, clockStart)).length > 0,
    },
    vouchings: {
      give: (userId) => storage().vouchings.put({ ...aVouching, userId }),
      deleteAll: (userId) => storage().approvals.eraseAllOfUser(userId),
      has: async (userId) => (await storage().vouchings.find({ ...aVouching, userId })) !== undefined,
    },
  }

  it.each(Object.entries(deletions))('the erasure of the %s of a user keeps those of others', async (_, store) => {
    const [user, other] = [await givenUser(storage()), await givenUser(storage())]
    for (const { id } of [user, other]) await store.give(id)
    await store.deleteAll(user.id)
    expect([await store.has(user.id), await store.has(other.id)]).toStrictEqual([false, true])
  })
}
