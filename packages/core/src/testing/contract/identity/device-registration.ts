import { describe, expect, it } from 'vitest'
import type { FullStorage } from '../../../storage.ts'
import { aDevice, aPushToken, aSealedField } from '../../builders.ts'
import { clockStart } from '../../fake-clock.ts'
import { atOnce, tally } from '../at-once.ts'
import { givenDevice, givenSession, givenUser, givenUserInSession } from '../given.ts'
import { hostileTexts } from '../hostile-texts.ts'

const later = clockStart + 1234

export const deviceRegistrationContract = (storage: () => FullStorage): void => {
  describe('registering and removing devices', () => {
    it('accepts a fingerprint once for a user', async () => {
      const { devices } = storage()
      const { user, sessionId } = await givenUserInSession(storage())
      const device = await givenDevice(storage(), { userId: user.id })
      const again = aDevice({ userId: user.id, deviceFingerprint: device.deviceFingerprint })
      expect(await devices.register(again, sessionId, 20)).toBe('fingerprint_taken')
      expect(await devices.allOfUser(user.id)).toStrictEqual([device])
    })

    it('accepts the same fingerprint for another user', async () => {
      const { devices } = storage()
      const user = await givenUser(storage())
      const { user: other, sessionId } = await givenUserInSession(storage())
      const device = await givenDevice(storage(), { userId: user.id })
      const shared = aDevice({ userId: other.id, deviceFingerprint: device.deviceFingerprint })
      expect(await devices.register(shared, sessionId, 20)).toBe('registered')
      expect(await devices.ofUser(other.id, shared.id)).toStrictEqual(shared)
    })

    it('compares fingerprints exactly', async () => {
      const { devices } = storage()
      const { user, sessionId } = await givenUserInSession(storage())
      for (const deviceFingerprint of hostileTexts) {
        expect(await devices.register(aDevice({ userId: user.id, deviceFingerprint }), sessionId, 100)).toBe('registered')
      }
      expect(await devices.allOfUser(user.id)).toHaveLength(hostileTexts.length)
    })

    it('registers exactly one of concurrent devices with the same fingerprint', async () => {
      const { devices } = storage()
      const { user, sessionId } = await givenUserInSession(storage())
      const { deviceFingerprint } = aDevice()
      const outcomes = await atOnce(50, () => devices.register(aDevice({ userId: user.id, deviceFingerprint }), sessionId, 20))
      expect(tally(outcomes, 'registered')).toBe(1)
      expect(tally(outcomes, 'fingerprint_taken')).toBe(49)
      expect(await devices.allOfUser(user.id)).toHaveLength(1)
    })

    it('refuses devices over the limit, for this user only', async () => {
      const { devices } = storage()
      const { user, sessionId } = await givenUserInSession(storage())
      await givenDevice(storage(), { userId: (await givenUser(storage())).id })
      expect(await devices.register(aDevice({ userId: user.id }), sessionId, 2)).toBe('registered')
      expect(await devices.register(aDevice({ userId: user.id }), sessionId, 2)).toBe('registered')
      expect(await devices.register(aDevice({ userId: user.id }), sessionId, 2)).toBe('too_many')
      expect(await devices.register(aDevice({ userId: user.id }), sessionId, 3)).toBe('registered')
      expect(await devices.allOfUser(user.id)).toHaveLength(3)
    })

    it('registers exactly the limit of concurrent devices', async () => {
      const { devices } = storage()
      const { user, sessionId } = await givenUserInSession(storage())
      const outcomes = await atOnce(50, () => devices.register(aDevice({ userId: user.id }), sessionId, 5))
      expect(tally(outcomes, 'registered')).toBe(5)
      expect(tally(outcomes, 'too_many')).toBe(45)
      expect(await devices.allOfUser(user.id)).toHaveLength(5)
    })

    it('holds the limit for concurrent transactions', async () => {
      const { user, sessionId } = await givenUserInSession(storage())
      const outcomes = await atOnce(20, () =>
        storage().transaction((tx) => tx.devices.register(aDevice({ userId: user.id }), sessionId, 3)),
      )
      expect(tally(outcomes, 'registered')).toBe(3)
      expect(await storage().devices.allOfUser(user.id)).toHaveLength(3)
    })

    it('refuses without ending the surrounding transaction', async () => {
      const { user, sessionId } = await givenUserInSession(storage())
      const device = await givenDevice(storage(), { userId: user.id })
      const { deviceFingerprint } = device
      const welcome = aDevice({ userId: user.id })
      await storage().transaction(async (tx) => {
        expect(await tx.devices.register(aDevice({ userId: user.id, deviceFingerprint }), sessionId, 20)).toBe(
          'fingerprint_taken',
        )
        expect(await tx.devices.register(aDevice({ userId: user.id }), sessionId, 1)).toBe('too_many')
        expect(await tx.devices.register(welcome, sessionId, 2)).toBe('registered')
      })
      expect(await storage().devices.ofUser(user.id, welcome.id)).toStrictEqual(welcome)
    })

    it('agrees with the state of registrations', async () => {
      const { devices } = storage()
      const user = await givenUser(storage())
      const { deviceFingerprint } = aDevice()
      await givenDevice(storage(), { userId: (await givenUser(storage())).id, deviceFingerprint })
      expect(await devices.registrationState(user.id, deviceFingerprint)).toStrictEqual({ fingerprintTaken: false, devices: 0 })
      await givenDevice(storage(), { userId: user.id })
      expect(await devices.registrationState(user.id, deviceFingerprint)).toStrictEqual({ fingerprintTaken: false, devices: 1 })
      await givenDevice(storage(), { userId: user.id, deviceFingerprint })
      expect(await devices.registrationState(user.id, deviceFingerprint)).toStrictEqual({ fingerprintTaken: true, devices: 2 })
    })

    describe('a removed device', () => {
      const removed = async () => {
        const user = await givenUser(storage())
        const device = await givenDevice(storage(), { userId: user.id, pushToken: aSealedField() })
        expect(await storage().devices.remove(user.id, device.id, later)).toBe(true)
        return { user, device }
      }

      it('is never returned again', async () => {
        const { devices } = storage()
        const { user, device } = await removed()
        expect(await devices.ofUser(user.id, device.id)).toBeUndefined()
        expect(await devices.byId(device.id)).toBeUndefined()
        expect(await devices.allOfUser(user.id)).toStrictEqual([])
        expect(await devices.withFingerprint(device.deviceFingerprint)).toStrictEqual([])
        expect(await devices.registrationState(user.id, device.deviceFingerprint)).toStrictEqual({
          fingerprintTaken: false,
          devices: 0,
        })
      })

      it('cannot be used, changed or removed again', async () => {
        const { devices } = storage()
        const { user, device } = await removed()
        expect(await devices.use(user.id, device.id, later)).toBe(false)
        expect(await devices.setPushToken(user.id, device.id, aPushToken(), later)).toBe(false)
        expect(await devices.remove(user.id, device.id, later)).toBe(false)
      })

      it('frees its fingerprint and its place in the limit, again and again', async () => {
        const { devices } = storage()
        const { user, device } = await removed()
        const { id: sessionId } = await givenSession(storage(), { userId: user.id })
        const { deviceFingerprint } = device
        for (const round of [1, 2, 3]) {
          const next = aDevice({ userId: user.id, deviceFingerprint })
          expect(await devices.register(next, sessionId, 1)).toBe('registered')
          expect(await devices.allOfUser(user.id)).toStrictEqual([next])
          expect(await devices.remove(user.id, next.id, later + round)).toBe(true)
        }
      })

      it('is removed by exactly one of concurrent callers', async () => {
        const { devices } = storage()
        const user = await givenUser(storage())
        const device = await givenDevice(storage(), { userId: user.id })
        const bystander = await givenDevice(storage(), { userId: user.id })
        expect(tally(await atOnce(20, () => devices.remove(user.id, device.id, later)), true)).toBe(1)
        expect(await devices.allOfUser(user.id)).toStrictEqual([bystander])
      })
    })

    describe('the devices with one fingerprint', () => {
      it('belong to any user, the most recently used first and the never used last', async () => {
        const { devices } = storage()
        const { deviceFingerprint } = aDevice()
        const of = async (lastUsedAt: number | null) =>
          givenDevice(storage(), { userId: (await givenUser(storage())).id, deviceFingerprint, lastUsedAt })
        const middle = await of(clockStart + 2)
        const never = await of(null)
        const latest = await of(clockStart + 3)
        const earliest = await of(clockStart + 1)
        expect(await devices.withFingerprint(deviceFingerprint)).toStrictEqual([latest, middle, earliest, never])
        await devices.use(never.userId, never.id, clockStart + 4)
        expect((await devices.withFingerprint(deviceFingerprint)).map(({ id }) => id)).toStrictEqual(
          [never, latest, middle, earliest].map(({ id }) => id),
        )
      })

      it('are at most 100', async () => {
        const { deviceFingerprint } = aDevice()
        await storage().transaction(async (tx) => {
          for (let index = 0; index < 101; index += 1) {
            const user = await givenUser(tx)
            await givenDevice(tx, { userId: user.id, deviceFingerprint, lastUsedAt: clockStart + index })
          }
        })
        const found = await storage().devices.withFingerprint(deviceFingerprint)
        expect(found.map(({ lastUsedAt }) => lastUsedAt)).toStrictEqual(
          Array.from({ length: 100 }, (_, index) => clockStart + 100 - index),
        )
      })

      it('are empty for an unknown fingerprint', async () => {
        expect(await storage().devices.withFingerprint(aDevice().deviceFingerprint)).toStrictEqual([])
      })
    })
  })
}
