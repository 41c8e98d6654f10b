import { describe, expect, it } from 'vitest'
import type { FullStorage } from '../../../storage.ts'
import { aDevice } from '../../builders.ts'
import { clockStart } from '../../fake-clock.ts'
import { atOnce, tally } from '../at-once.ts'
import { givenDevice, givenUser, givenUserInSession } from '../given.ts'
import { hostileTexts } from '../hostile-texts.ts'

const later = clockStart + 1234

export const deviceRegistrationContract = (storage: () => FullStorage): void => {
  describe('registering and removing devices', () => {
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

    it('registers exactly the limit of concurrent devices', async () => {
      const { devices } = storage()
      const { user, sessionId } = await givenUserInSession(storage())
      const outcomes = await atOnce(50, () => devices.register(aDevice({ userId: user.id }), sessionId, 5))
      expect(tally(outcomes, 'registered')).toBe(5)
      expect(tally(outcomes, 'too_many')).toBe(45)
      expect(await devices.allOfUser(user.id)).toHaveLength(5)
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

    describe('a removed device', () => {
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
    })
  })
}
