import { describe, expect, it } from 'vitest'
import type { Session, SessionStatus } from '../../../identity/sessions/session.ts'
import type { User } from '../../../identity/users/user.ts'
import type { FullStorage } from '../../../storage.ts'
import { aSession } from '../../builders.ts'
import { clockStart } from '../../fake-clock.ts'
import { givenDevice, givenPasskey, givenSession, givenUser } from '../given.ts'
import { hostileTexts } from '../hostile-texts.ts'

const later = clockStart + 1234

const standingOf = (user: User, session: Session): SessionStatus => {
  const { directoryId, email, employee, department, permissions } = user
  const { userId, kind, authMethod, deviceId, rememberMe, createdAt } = session
  return { userId, directoryId, email, employee, department, permissions, kind, authMethod, deviceId, rememberMe, createdAt }
}

/** Every check asks both before and after a change, so that an answer that was remembered for too long shows. */
export const sessionStatusContract = (storage: () => FullStorage): void => {
  describe('the standing of a session', () => {
    const given = async () => {
      const user = await givenUser(storage(), { permissions: ['project.read', 'project.update'] })
      const session = await givenSession(storage(), { userId: user.id })
      const standing = standingOf(user, session)
      expect(await storage().sessions.status(session.id)).toStrictEqual(standing)
      return { user, session, standing }
    }

    it('says who the user of a live session is, what they may, and what of the session stays', async () => {
      const { session, standing } = await given()
      expect(await storage().sessions.status(session.id)).toStrictEqual(standing)
    })

    it('tells one session of a user from another', async () => {
      const { user } = await given()
      const device = await givenDevice(storage(), { userId: user.id })
      const passkey = await givenPasskey(storage(), { userId: user.id })
      const sessions: Partial<Session>[] = [
        { deviceId: device.id, kind: 'biometric', authMethod: 'biometric', rememberMe: true },
        { passkeyId: passkey.id, authMethod: 'webauthn', rememberMe: false, createdAt: later },
      ]
      for (const overrides of sessions) {
        const session = await givenSession(storage(), { userId: user.id, ...overrides })
        expect(await storage().sessions.status(session.id)).toStrictEqual(standingOf(user, session))
      }
    })

    it('says which user a directory keeps', async () => {
      const user = await givenUser(storage(), { directoryId: 'ada@directory' })
      const session = await givenSession(storage(), { userId: user.id })
      expect(await storage().sessions.status(session.id)).toStrictEqual(standingOf(user, session))
    })

    it('tells texts as they are', async () => {
      const { users, sessions } = storage()
      const { user, session } = await given()
      await users.change(user.id, user.version, { permissions: hostileTexts }, later)
      expect(await sessions.status(session.id)).toMatchObject({ permissions: hostileTexts })
    })

    it('is none where there is no such session, until it is opened', async () => {
      const { sessions } = storage()
      const user = await givenUser(storage())
      const session = aSession({ userId: user.id })
      expect(await sessions.status(session.id)).toBeUndefined()
      await sessions.open(session)
      expect(await sessions.status(session.id)).toMatchObject({ userId: user.id })
    })

    it('is none from the moment the session has ended', async () => {
      const { sessions } = storage()
      const { session } = await given()
      await sessions.end(session.id, 'logout', later)
      expect(await sessions.status(session.id)).toBeUndefined()
    })

    it('is none from the moment all sessions of the user have ended, except for newer ones', async () => {
      const { sessions } = storage()
      const { user, session } = await given()
      const bystander = await given()
      await sessions.endAllOfUser(user.id, 'password_changed', later)
      expect(await sessions.status(session.id)).toBeUndefined()
      expect(await sessions.status(bystander.session.id)).toStrictEqual(bystander.standing)
      const newer = await givenSession(storage(), { userId: user.id, createdAt: later })
      expect(await sessions.status(newer.id)).toMatchObject({ userId: user.id })
    })

    it('is none from the moment the sessions of its device have ended', async () => {
      const { sessions } = storage()
      const { user, session, standing } = await given()
      const device = await givenDevice(storage(), { userId: user.id })
      const biometric = await givenSession(storage(), { userId: user.id, deviceId: device.id, kind: 'biometric' })
      expect(await sessions.status(biometric.id)).toStrictEqual(standingOf(user, biometric))
      await sessions.endAllOfDevice(device.id, 'device_removed', later)
      expect(await sessions.status(biometric.id)).toBeUndefined()
      expect(await sessions.status(session.id)).toStrictEqual(standing)
    })

    it('is none from the moment the sessions of its passkey have ended', async () => {
      const { sessions } = storage()
      const { user, session } = await given()
      const [passkey, other] = [
        await givenPasskey(storage(), { userId: user.id }),
        await givenPasskey(storage(), { userId: user.id }),
      ]
      const opened = await givenSession(storage(), { userId: user.id, passkeyId: passkey.id, authMethod: 'webauthn' })
      const byOther = await givenSession(storage(), { userId: user.id, passkeyId: other.id, authMethod: 'webauthn' })
      expect(await sessions.byId(opened.id)).toStrictEqual(opened)
      expect(await sessions.status(opened.id)).toStrictEqual(standingOf(user, opened))
      expect(await sessions.endAllOfPasskey(user.id, passkey.id, 'passkey_removed', later)).toBe(1)
      expect(await sessions.status(opened.id)).toBeUndefined()
      expect(await sessions.byId(opened.id)).toMatchObject({ endedAt: later, endReason: 'passkey_removed' })
      expect(await sessions.endAllOfPasskey(user.id, passkey.id, 'passkey_removed', later)).toBe(0)
      for (const left of [session, byOther]) expect(await sessions.status(left.id)).toStrictEqual(standingOf(user, left))
    })

    it('is none while the user is disabled', async () => {
      const { sessions, users } = storage()
      const { user, session, standing } = await given()
      const bystander = await given()
      const disabled = await users.change(user.id, user.version, { disabledAt: later }, later)
      expect(await sessions.status(session.id)).toBeUndefined()
      expect(await sessions.status(bystander.session.id)).toStrictEqual(bystander.standing)
      await users.change(user.id, disabled?.version ?? 0, { disabledAt: null }, later + 1)
      expect(await sessions.status(session.id)).toStrictEqual(standing)
    })

    it('shows a change of permissions at once', async () => {
      const { sessions, users } = storage()
      const { user, session, standing } = await given()
      const before = await sessions.status(session.id)
      await users.change(user.id, user.version, { permissions: ['project.read'] }, later)
      expect(await sessions.status(session.id)).toStrictEqual({ ...standing, permissions: ['project.read'] })
      expect(before, 'what was answered before').toStrictEqual(standing)
    })

    it('shows a change of who the user is at once', async () => {
      const { sessions, users } = storage()
      const { user, session, standing } = await given()
      const other = {
        email: 'ada.lovelace@example.test',
        employee: { id: 'E-2', name: 'Ada Lovelace', avatarFileId: 'F-2' },
        department: { id: 'D-2', name: 'Engines' },
      }
      await users.change(user.id, user.version, other, later)
      expect(await sessions.status(session.id)).toStrictEqual({ ...standing, ...other })
    })

    it('is not changed by a rotation, nor by other changes of the user', async () => {
      const { sessions, users } = storage()
      const { user, session, standing } = await given()
      await sessions.rotate({
        sessionId: session.id,
        fromTokenId: session.refreshTokenId,
        toTokenId: aSession().refreshTokenId,
        expiresAt: session.refreshExpiresAt,
        now: later,
      })
      await users.change(user.id, user.version, { passwordHash: 'new hash' }, later)
      expect(await sessions.status(session.id)).toStrictEqual(standing)
    })

    it('knows inside a transaction what that transaction did', async () => {
      const { user, session } = await given()
      await storage().transaction(async (tx) => {
        await tx.users.change(user.id, user.version, { permissions: [] }, later)
        expect(await tx.sessions.status(session.id)).toMatchObject({ permissions: [] })
        await tx.sessions.end(session.id, 'revoked', later)
        expect(await tx.sessions.status(session.id)).toBeUndefined()
      })
      expect(await storage().sessions.status(session.id)).toBeUndefined()
    })

    it('forgets what a failed transaction did', async () => {
      const { user, session, standing } = await given()
      const never = aSession({ userId: user.id })
      const failure = new Error('changed my mind')
      const failing = storage().transaction(async (tx) => {
        await tx.users.change(user.id, user.version, { permissions: [], disabledAt: later }, later)
        await tx.sessions.endAllOfUser(user.id, 'user_disabled', later)
        await tx.sessions.open(never)
        expect(await tx.sessions.status(session.id)).toBeUndefined()
        throw failure
      })
      await expect(failing).rejects.toBe(failure)
      expect(await storage().sessions.status(session.id)).toStrictEqual(standing)
      expect(await storage().sessions.status(never.id)).toBeUndefined()
    })
  })
}
