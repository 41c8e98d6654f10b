import { describe, expect, it } from 'vitest'
import type { Session, SessionStatus } from '../../../identity/records/session.ts'
import type { Trust } from '../../../identity/records/trust.ts'
import type { User } from '../../../identity/records/user.ts'
import type { FullStorage } from '../../../storage.ts'
import { aSession } from '../../builders.ts'
import { clockStart } from '../../fake-clock.ts'
import { givenDevice, givenPasskey, givenSession, givenUser } from '../given.ts'

const later = clockStart + 1234

const statusOf = (user: User, session: Session, { trustedAt }: Trust = { trustedAt: null }): SessionStatus => {
  const { directoryId, email, employee, department, permissions } = user
  const { userId, kind, authMethod, deviceId, passkeyId, userVerified, rememberMe, createdAt, tenants } = session
  const fixed = { userId, kind, authMethod, deviceId, passkeyId, userVerified, rememberMe, createdAt, tenants }
  return { ...fixed, directoryId, email, employee, department, permissions, trustedAt }
}

/** Each test reads the status before and after a change, so that a stale cache fails the test. */
export const sessionStatusContract = (storage: () => FullStorage): void => {
  describe('the status of a session', () => {
    const given = async () => {
      const user = await givenUser(storage(), { permissions: ['project.read', 'project.update'] })
      const session = await givenSession(storage(), { userId: user.id })
      const status = statusOf(user, session)
      expect(await storage().sessions.status(session.id)).toStrictEqual(status)
      return { user, session, status }
    }

    it('differs between two sessions of a user', async () => {
      const { user } = await given()
      const device = await givenDevice(storage(), { userId: user.id })
      const passkey = await givenPasskey(storage(), { userId: user.id })
      const sessions: [Partial<Session>, Trust][] = [
        [{ deviceId: device.id, kind: 'biometric', authMethod: 'biometric', rememberMe: true }, device],
        [{ passkeyId: passkey.id, authMethod: 'webauthn', rememberMe: false, createdAt: later }, passkey],
      ]
      for (const [overrides, opener] of sessions) {
        const session = await givenSession(storage(), { userId: user.id, ...overrides })
        expect(await storage().sessions.status(session.id)).toStrictEqual(statusOf(user, session, opener))
      }
    })

    it('is undefined from the moment that all sessions of the user were ended, except for newer sessions', async () => {
      const { sessions } = storage()
      const { user, session } = await given()
      const bystander = await given()
      await sessions.endAll({ userId: user.id }, 'password_changed', later)
      expect(await sessions.status(session.id)).toBeUndefined()
      expect(await sessions.status(bystander.session.id)).toStrictEqual(bystander.status)
      const newer = await givenSession(storage(), { userId: user.id, createdAt: later })
      expect(await sessions.status(newer.id)).toMatchObject({ userId: user.id })
    })

    it('is undefined while the user is disabled', async () => {
      const { sessions, users } = storage()
      const { user, session, status } = await given()
      const bystander = await given()
      const disabled = await users.change(user.id, user.version, { disabledAt: later }, later)
      expect(await sessions.status(session.id)).toBeUndefined()
      expect(await sessions.status(bystander.session.id)).toStrictEqual(bystander.status)
      await users.change(user.id, disabled?.version ?? 0, { disabledAt: null }, later + 1)
      expect(await sessions.status(session.id)).toStrictEqual(status)
    })

    it('shows a change of permissions immediately', async () => {
      const { sessions, users } = storage()
      const { user, session, status } = await given()
      const before = await sessions.status(session.id)
      await users.change(user.id, user.version, { permissions: ['project.read'] }, later)
      expect(await sessions.status(session.id)).toStrictEqual({ ...status, permissions: ['project.read'] })
      expect(before, 'the status before the change').toStrictEqual(status)
    })

    it('shows the changes of a transaction inside this transaction', async () => {
      const { user, session } = await given()
      await storage().transaction(async (tx) => {
        await tx.users.change(user.id, user.version, { permissions: [] }, later)
        expect(await tx.sessions.status(session.id)).toMatchObject({ permissions: [] })
        await tx.sessions.end(session.id, 'revoked', later)
        expect(await tx.sessions.status(session.id)).toBeUndefined()
      })
      expect(await storage().sessions.status(session.id)).toBeUndefined()
    })

    it('shows no change of a failed transaction', async () => {
      const { user, session, status } = await given()
      const never = aSession({ userId: user.id })
      const failure = new Error('changed my mind')
      const failing = storage().transaction(async (tx) => {
        await tx.users.change(user.id, user.version, { permissions: [], disabledAt: later }, later)
        await tx.sessions.endAll({ userId: user.id }, 'user_disabled', later)
        await tx.sessions.open(never)
        expect(await tx.sessions.status(session.id)).toBeUndefined()
        throw failure
      })
      await expect(failing).rejects.toBe(failure)
      expect(await storage().sessions.status(session.id)).toStrictEqual(status)
      expect(await storage().sessions.status(never.id)).toBeUndefined()
    })
  })
}
