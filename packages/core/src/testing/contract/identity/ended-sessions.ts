import { describe, expect, it } from 'vitest'
import type { SessionEnd } from '../../../identity/sessions/session.ts'
import type { Registrations } from '../../../identity/trust/store.ts'
import type { FullStorage } from '../../../storage.ts'
import { aDevice, anApprovalRequest, aPasskey } from '../../builders.ts'
import { clockStart } from '../../fake-clock.ts'
import { givenConfirmation, givenSession, givenUser } from '../given.ts'

const later = clockStart + 1234

const endsByOthers: readonly SessionEnd[] = [
  'password_changed',
  'account_locked',
  'user_disabled',
  'device_removed',
  'passkey_removed',
  'revoked',
  'not_me',
]

/** Declares tests of what sessions leave behind when they end. */
export const endedSessionsContract = (storage: () => FullStorage): void => {
  /** A user with a session that registered a device and a passkey, and asked for a confirmation and an approval request. */
  const given = async (userId?: number, trustedAt: number | null = null) => {
    const id = userId ?? (await givenUser(storage())).id
    const session = await givenSession(storage(), { userId: id })
    const [device, passkey] = [aDevice({ userId: id, trustedAt }), aPasskey({ userId: id, trustedAt })]
    await storage().devices.register(device, session.id, 20)
    await storage().passkeys.register(passkey, session.id, 20)
    const confirmation = await givenConfirmation(storage(), { userId: id, requestedBy: session.id })
    const request = anApprovalRequest({ requestedBy: id, requestedIn: session.id })
    await storage().approvalRequests.open(request, [], 20)
    return { userId: id, sessionId: session.id, device, passkey, confirmation, request }
  }
  type Given = Awaited<ReturnType<typeof given>>

  const remaining = async ({ userId }: Pick<Given, 'userId'>) => [
    ...(await storage().devices.allOfUser(userId)).map(({ id }) => id),
    ...(await storage().passkeys.allOfUser(userId)).map(({ id }) => id),
  ]
  const registeredBy = (...all: readonly Given[]) => [
    ...all.map(({ device }) => device.id),
    ...all.map(({ passkey }) => passkey.id),
  ]
  const remove = (userId: number, registrations: Registrations) => storage().trust.removeOnProbation(userId, later, registrations)
  const sorted = (ids: readonly string[]) => [...ids].sort()

  describe('what ended sessions left', () => {
    it.each(endsByOthers)('is removed and rejected after the end as `%s`, and that of other sessions stays', async (reason) => {
      const ended = await given()
      const live = await given(ended.userId)
      const foreign = await given()
      await storage().sessions.end(ended.sessionId, reason, later)
      await storage().sessions.end(foreign.sessionId, reason, later)
      const { userId } = ended
      expect(await remove(userId, 'of_ended_sessions')).toStrictEqual({
        devices: [ended.device.id],
        passkeys: [ended.passkey.id],
      })
      expect(sorted(await remaining(ended))).toStrictEqual(sorted(registeredBy(live)))
      expect(await remaining(foreign)).toStrictEqual(registeredBy(foreign))
      const { approvalRequests, confirmations } = storage()
      expect(await approvalRequests.rejectAllOfRequester(userId, later, 'of_ended_sessions')).toBe(1)
      expect(await confirmations.rejectAllOfUser(userId, later, 'orphaned')).toBe(1)
      for (const [{ confirmation, request }, status] of [
        [ended, 'rejected'],
        [live, 'pending'],
        [foreign, 'pending'],
      ] as const) {
        expect(await confirmations.byId(confirmation.id)).toMatchObject({ status })
        expect(await approvalRequests.byId(request.id)).toMatchObject({ status })
      }
    })

    it.each(['logout', 'token_reuse'] as const)('stays after the end as `%s`, unless the session is disowned', async (reason) => {
      const ended = await given()
      const { userId, sessionId } = ended
      await storage().sessions.end(sessionId, reason, later - 1)
      const withdraw = async () => [
        await remove(userId, 'of_ended_sessions'),
        await storage().approvalRequests.rejectAllOfRequester(userId, later, 'of_ended_sessions'),
        await storage().confirmations.rejectAllOfUser(userId, later, 'orphaned'),
      ]
      expect(await withdraw()).toStrictEqual([{ devices: [], passkeys: [] }, 0, 0])
      expect(await storage().sessions.disown(sessionId, later)).toBe(true)
      expect(await storage().sessions.byId(sessionId)).toMatchObject({ endedAt: later - 1, endReason: 'not_me' })
      expect(await withdraw()).toStrictEqual([{ devices: [ended.device.id], passkeys: [ended.passkey.id] }, 1, 1])
    })

    it('stays where it is trusted', async () => {
      const ended = await given(undefined, later)
      await storage().sessions.end(ended.sessionId, 'revoked', later)
      expect(await remove(ended.userId, 'of_ended_sessions')).toStrictEqual({ devices: [], passkeys: [] })
      expect(await remaining(ended)).toStrictEqual(registeredBy(ended))
    })
  })

  describe('disowning a session', () => {
    it('ends it, and its status with it', async () => {
      const { sessionId } = await given()
      expect(await storage().sessions.status(sessionId)).toBeDefined()
      expect(await storage().sessions.disown(sessionId, later)).toBe(true)
      expect(await storage().sessions.status(sessionId)).toBeUndefined()
      expect(await storage().sessions.byId(sessionId)).toMatchObject({ endedAt: later, endReason: 'not_me' })
    })

    it('changes no session that somebody else ended, and no unknown session', async () => {
      const { sessionId } = await given()
      await storage().sessions.end(sessionId, 'revoked', later)
      expect(await storage().sessions.disown(sessionId, later + 1)).toBe(false)
      expect(await storage().sessions.byId(sessionId)).toMatchObject({ endedAt: later, endReason: 'revoked' })
      expect(await storage().sessions.disown('unknown', later)).toBe(false)
    })
  })
}
