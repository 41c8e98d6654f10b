import { describe, expect, it } from 'vitest'
import type { AllStores, FullStorage } from '../../../storage.ts'
import { aConfirmation, aDevice, anApprovalRequest, anEvidence, aPasskey, aSession } from '../../builders.ts'
import { clockStart } from '../../fake-clock.ts'
import { gate } from '../at-once.ts'
import { givenConfirmation, givenDevice, givenSession, givenUserInSession } from '../given.ts'

const later = clockStart + 1234

type GivenUser = Awaited<ReturnType<typeof givenUserInSession>>

/** Stores one thing that needs a live session, and reads whether the storage has it. */
interface Storing {
  readonly store: (stores: AllStores, sessionId: string) => Promise<string>
  readonly isStored: () => Promise<boolean>
  readonly stored: string
}

/** The ways in which a session ends, each by a row of its own kind. */
const endings: Readonly<Record<string, (tx: AllStores, given: GivenUser) => Promise<unknown>>> = {
  'a logout': (tx, { sessionId }) => tx.sessions.end(sessionId, 'logout', later),
  'a lock of the account': (tx, { user }) => tx.users.setLock(user.id, later, later),
  'a disabling of the user': (tx, { user }) => tx.users.change(user.id, user.version, { disabledAt: later }, later),
}

const everyEnding = Object.entries(endings)

/** Declares tests of registrations, approvals and requests for approvals, which are stored only while their session is live. */
export const liveSessionsContract = (storage: () => FullStorage): void => {
  const storings: Readonly<Record<string, (given: GivenUser) => Promise<Storing>>> = {
    'a device': async ({ user }) => {
      const device = aDevice({ userId: user.id })
      return {
        store: (stores, sessionId) => stores.devices.register(device, sessionId, 20),
        isStored: async () => (await storage().devices.byId(device.id)) !== undefined,
        stored: 'registered',
      }
    },
    'a passkey': async ({ user }) => {
      const passkey = aPasskey({ userId: user.id })
      return {
        store: (stores, sessionId) => stores.passkeys.register(passkey, sessionId, 20),
        isStored: async () => (await storage().passkeys.withId(passkey.id)).length > 0,
        stored: 'registered',
      }
    },
    'an approval': async ({ user }) => {
      const device = await givenDevice(storage(), { userId: user.id })
      const { id } = await givenConfirmation(storage(), { userId: user.id })
      return {
        store: (stores, sessionId) =>
          stores.confirmations.approve({
            id,
            userId: user.id,
            deviceId: device.id,
            sessionId,
            evidence: anEvidence(),
            now: later,
          }),
        isStored: async () => (await storage().confirmations.byId(id))?.status === 'approved',
        stored: 'approved',
      }
    },
    'a confirmation': async ({ user }) => {
      const { id } = aConfirmation()
      return {
        store: async (stores, requestedBy) => {
          const confirmation = aConfirmation({ id, userId: user.id, requestedBy })
          return (await stores.confirmations.initiate(confirmation, 20)) ? 'initiated' : 'session_ended'
        },
        isStored: async () => (await storage().confirmations.byId(id)) !== undefined,
        stored: 'initiated',
      }
    },
    'an approval request': async ({ user }) => {
      const { id } = anApprovalRequest()
      return {
        store: async (stores, requestedIn) => {
          const request = anApprovalRequest({ id, requestedBy: user.id, requestedIn })
          return (await stores.approvalRequests.open(request, [], 20)) ? 'opened' : 'session_ended'
        },
        isStored: async () => (await storage().approvalRequests.byId(id)) !== undefined,
        stored: 'opened',
      }
    },
  }

  describe.each(Object.entries(storings))('%s', (_, storing) => {
    const given = async () => {
      const user = await givenUserInSession(storage())
      return { user, ...(await storing(user)) }
    }

    it('is stored even if the refresh token has expired, because only the expiry of the access token counts', async () => {
      const { user, store, stored } = await given()
      const { id } = await givenSession(storage(), { userId: user.user.id, refreshExpiresAt: clockStart - 1 })
      expect(await storage().sessions.status(id)).toBeDefined()
      expect(await store(storage(), id)).toBe(stored)
    })

    it('is not stored in a session of another user or in an unknown session', async () => {
      const { store, isStored } = await given()
      const other = await givenUserInSession(storage())
      for (const sessionId of [other.sessionId, aSession().id, '']) {
        expect(await store(storage(), sessionId)).toBe('session_ended')
      }
      expect(await isStored()).toBe(false)
    })

    it.each(everyEnding)('is not stored when %s runs at the same time and commits first', async (_how, end) => {
      const { user, store, isStored } = await given()
      const ended = gate()
      let outcome: Promise<string> | undefined
      const ends = storage().transaction(async (tx) => {
        await end(tx, user)
        ended.open()
        // This work gives the other side time to run as far as it can.
        for (let index = 0; index < 20; index += 1) await tx.users.byId(index)
      })
      const begins = ended.passed.then(() => {
        outcome = store(storage(), user.sessionId)
      })
      await Promise.all([ends, begins])
      expect(await outcome).toBe('session_ended')
      expect(await isStored()).toBe(false)
    })

    it.each(everyEnding)('locks its session: %s waits until it is stored', async (_how, end) => {
      const { user, store, isStored, stored } = await given()
      const [wasStored, endBegan] = [gate(), gate()]
      let isCommitted = false
      const storing = storage().transaction(async (tx) => {
        const outcome = await store(tx, user.sessionId)
        wasStored.open()
        await endBegan.passed
        for (let index = 0; index < 20; index += 1) await tx.users.byId(index)
        isCommitted = true
        return outcome
      })
      await wasStored.passed
      const ends = storage()
        .transaction((tx) => end(tx, user))
        .then(() => isCommitted)
      endBegan.open()
      expect(await storing).toBe(stored)
      expect(await ends, 'the session ended after the row was stored').toBe(true)
      expect(await isStored()).toBe(true)
    })
  })
}
