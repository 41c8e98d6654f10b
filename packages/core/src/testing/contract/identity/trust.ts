import { describe, expect, it } from 'vitest'
import type { Session } from '../../../identity/sessions/session.ts'
import type { EnrolmentFacts } from '../../../identity/trust/initial-trust.ts'
import { hours } from '../../../shared/clock.ts'
import type { FullStorage } from '../../../storage.ts'
import { aDevice } from '../../builders.ts'
import { clockStart } from '../../fake-clock.ts'
import { givenDevice, givenPasskey, givenSession, givenUser, givenUserInSession } from '../given.ts'

const now = clockStart + hours(1)
const rememberedSince = clockStart

export const trustContract = (storage: () => FullStorage): void => {
  describe('the facts of an enrolment', () => {
    const factsOf = (userId: number, sessionId: string): Promise<EnrolmentFacts | undefined> =>
      storage().trust.enrolmentFacts({ userId, sessionId, rememberedSince, now })

    it('are undefined for a session that has ended, is unknown, or belongs to another user or to a disabled user', async () => {
      const { sessions, users } = storage()
      const { user, sessionId } = await givenUserInSession(storage())
      const other = await givenUserInSession(storage())
      expect(await factsOf(user.id, sessionId)).toBeDefined()
      expect(await factsOf(user.id, other.sessionId)).toBeUndefined()
      expect(await factsOf(user.id, 'unknown')).toBeUndefined()
      await sessions.end(sessionId, 'logout', now)
      expect(await factsOf(user.id, sessionId)).toBeUndefined()
      await users.change(other.user.id, other.user.version, { disabledAt: now }, now)
      expect(await factsOf(other.user.id, other.sessionId)).toBeUndefined()
    })

    it('hold what tells a fresh session, with the trust of the device or passkey that opened it', async () => {
      const user = await givenUser(storage())
      const [waiting, coolingOff] = [null, now + 1].map((trustedAt) => givenDevice(storage(), { userId: user.id, trustedAt }))
      const passkey = await givenPasskey(storage(), { userId: user.id, trustedAt: now - 5 })
      const openers: [Partial<Session>, number | null][] = [
        [{ authMethod: 'password' }, null],
        [{ authMethod: 'biometric', kind: 'biometric', deviceId: (await waiting)?.id ?? '' }, null],
        [{ authMethod: 'biometric', kind: 'biometric', deviceId: (await coolingOff)?.id ?? '' }, now + 1],
        [{ authMethod: 'webauthn', passkeyId: passkey.id, userVerified: true }, now - 5],
        [{ authMethod: 'webauthn', passkeyId: passkey.id, userVerified: false }, now - 5],
      ]
      for (const [overrides, trustedAt] of openers) {
        const { id, authMethod, userVerified, createdAt } = await givenSession(storage(), { userId: user.id, ...overrides })
        expect((await factsOf(user.id, id))?.session).toStrictEqual({ authMethod, userVerified, createdAt, trustedAt })
      }
    })

    it('say whether the user has a trusted device; passkeys and the devices of others do not count', async () => {
      const { user, sessionId } = await givenUserInSession(storage())
      const hasOne = async () => (await factsOf(user.id, sessionId))?.hasTrustedDevice
      await givenDevice(storage(), { userId: (await givenUser(storage())).id })
      await givenPasskey(storage(), { userId: user.id })
      await givenDevice(storage(), { userId: user.id, trustedAt: null })
      await givenDevice(storage(), { userId: user.id, trustedAt: now + 1 })
      expect(await hasOne()).toBe(false)
      await givenDevice(storage(), { userId: user.id, trustedAt: now })
      expect(await hasOne()).toBe(true)
    })

    it('count a trusted device that was removed lately, and no removed device that was on probation', async () => {
      const { devices } = storage()
      const { user, sessionId } = await givenUserInSession(storage())
      const hasOne = async () => (await factsOf(user.id, sessionId))?.hasTrustedDevice
      const removeAt = async (trustedAt: number | null, removedAt: number) => {
        const { id } = await givenDevice(storage(), { userId: user.id, trustedAt })
        await devices.remove(user.id, id, removedAt)
      }
      await removeAt(null, now)
      await removeAt(now + 5, now)
      await removeAt(clockStart - 5, rememberedSince - 1)
      expect(await hasOne()).toBe(false)
      await removeAt(clockStart - 5, rememberedSince)
      expect(await hasOne()).toBe(true)
    })

    it('say whether a device or passkey of the user is in its cooling-off period', async () => {
      const { user, sessionId } = await givenUserInSession(storage())
      const isCoolingOff = async () => (await factsOf(user.id, sessionId))?.hasCoolingOff
      for (const trustedAt of [null, now]) await givenDevice(storage(), { userId: user.id, trustedAt })
      for (const trustedAt of [null, now]) await givenPasskey(storage(), { userId: user.id, trustedAt })
      await givenDevice(storage(), { userId: (await givenUser(storage())).id, trustedAt: now + 1 })
      expect(await isCoolingOff()).toBe(false)
      const device = await givenDevice(storage(), { userId: user.id, trustedAt: now + 1 })
      expect(await isCoolingOff()).toBe(true)
      await storage().devices.remove(user.id, device.id, now)
      expect(await isCoolingOff()).toBe(false)
      await givenPasskey(storage(), { userId: user.id, trustedAt: now + 1 })
      expect(await isCoolingOff()).toBe(true)
    })

    it('stay true until the transaction ends: concurrent registrations see each other', async () => {
      const { user, sessionId } = await givenUserInSession(storage())
      const enrol = () =>
        storage().transaction(async (tx) => {
          const facts = await tx.trust.enrolmentFacts({ userId: user.id, sessionId, rememberedSince, now })
          const device = aDevice({ userId: user.id, createdAt: now, trustedAt: facts?.hasTrustedDevice === true ? null : now })
          await tx.devices.register(device, sessionId, 20)
        })
      await Promise.all([enrol(), enrol(), enrol(), enrol()])
      const trusted = (await storage().devices.allOfUser(user.id)).map((device) => device.trustedAt)
      expect(trusted.filter((trustedAt) => trustedAt === now)).toHaveLength(1)
      expect(trusted.filter((trustedAt) => trustedAt === null)).toHaveLength(3)
    })
  })
}
