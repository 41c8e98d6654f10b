import { describe, expect, it } from 'vitest'
import type { FullStorage } from '../../../storage.ts'
import { aDevice, aSealedField } from '../../builders.ts'
import { clockStart } from '../../fake-clock.ts'
import { givenDevice, givenUser, givenUserInSession } from '../given.ts'
import { hostileTexts } from '../hostile-texts.ts'

const later = clockStart + 1234

export const devicesContract = (storage: () => FullStorage): void => {
  describe('devices', () => {
    it('are returned as they were registered, to their user', async () => {
      const { devices } = storage()
      const { user, sessionId } = await givenUserInSession(storage())
      const used = aDevice({
        userId: user.id,
        deviceType: 'tablet',
        keyAlgorithm: 'PS256',
        pushToken: aSealedField(),
        lastUsedAt: later,
        updatedAt: later + 1,
      })
      expect(await devices.register(used, sessionId, 20)).toBe('registered')
      const fresh = await givenDevice(storage(), { userId: user.id })
      expect(await devices.ofUser(user.id, used.id)).toStrictEqual(used)
      expect(await devices.byId(used.id)).toStrictEqual(used)
      expect(await devices.lock(user.id, used.id)).toStrictEqual(used)
      expect(await devices.ofUser(user.id, fresh.id)).toStrictEqual(fresh)
    })

    it('are not returned to another user', async () => {
      const { devices } = storage()
      const [user, other] = [await givenUser(storage()), await givenUser(storage())]
      const device = await givenDevice(storage(), { userId: user.id })
      expect(await devices.ofUser(other.id, device.id)).toBeUndefined()
      expect(await devices.use(other.id, device.id, later)).toBe(false)
      expect(await devices.lock(other.id, device.id)).toBeUndefined()
      expect(await devices.setPushToken(other.id, device.id, aSealedField(), later)).toBe(false)
      expect(await devices.remove(other.id, device.id, later)).toBe(false)
      expect(await devices.allOfUser(other.id)).toStrictEqual([])
      expect(await devices.ofUser(user.id, device.id)).toStrictEqual(device)
    })

    it('are undefined for an unknown id', async () => {
      const { devices } = storage()
      const user = await givenUser(storage())
      const { id } = aDevice()
      expect(await devices.ofUser(user.id, id)).toBeUndefined()
      expect(await devices.byId(id)).toBeUndefined()
      expect(await devices.use(user.id, id, later)).toBe(false)
      expect(await devices.lock(user.id, id)).toBeUndefined()
      expect(await devices.setPushToken(user.id, id, aSealedField(), later)).toBe(false)
      expect(await devices.remove(user.id, id, later)).toBe(false)
    })

    it('of several users are asked for their keys together, removed devices aside', async () => {
      const { devices } = storage()
      const [one, other, foreign] = [await givenUser(storage()), await givenUser(storage()), await givenUser(storage())]
      const given = (userId: number, publicKey: string) => givenDevice(storage(), { userId, publicKey })
      for (const key of ['a', 'b']) await given(one.id, key)
      await given(other.id, 'a')
      await given(foreign.id, 'c')
      const removed = await given(one.id, 'd')
      await devices.remove(one.id, removed.id, later)
      const keys = await devices.keysOf([one.id, other.id])
      expect(new Set(keys)).toEqual(
        new Set([
          { userId: one.id, publicKey: 'a' },
          { userId: one.id, publicKey: 'b' },
          { userId: other.id, publicKey: 'a' },
        ]),
      )
      expect(await devices.keysOf([])).toStrictEqual([])
    })

    it('of a user are listed oldest first', async () => {
      const { devices } = storage()
      const user = await givenUser(storage())
      const second = await givenDevice(storage(), { userId: user.id, createdAt: clockStart + 2 })
      const third = await givenDevice(storage(), { userId: user.id, createdAt: clockStart + 3 })
      const first = await givenDevice(storage(), { userId: user.id, createdAt: clockStart + 1 })
      await givenDevice(storage(), { userId: (await givenUser(storage())).id })
      expect(await devices.allOfUser(user.id)).toStrictEqual([first, second, third])
    })

    it('record when they were used', async () => {
      const { devices } = storage()
      const user = await givenUser(storage())
      const device = await givenDevice(storage(), { userId: user.id })
      const untouched = await givenDevice(storage(), { userId: user.id })
      expect(await devices.use(user.id, device.id, later)).toBe(true)
      expect((await devices.ofUser(user.id, device.id))?.lastUsedAt).toBe(later)
      expect(await devices.ofUser(user.id, untouched.id)).toStrictEqual(untouched)
    })

    it('store a push token, and replace it', async () => {
      const { devices } = storage()
      const user = await givenUser(storage())
      const device = await givenDevice(storage(), { userId: user.id })
      const untouched = await givenDevice(storage(), { userId: user.id })
      const [first, second] = [aSealedField(), aSealedField()]
      expect(await devices.setPushToken(user.id, device.id, first, later)).toBe(true)
      expect(await devices.ofUser(user.id, device.id)).toStrictEqual({ ...device, pushToken: first, updatedAt: later })
      expect(await devices.setPushToken(user.id, device.id, second, later + 1)).toBe(true)
      expect(await devices.ofUser(user.id, device.id)).toStrictEqual({ ...device, pushToken: second, updatedAt: later + 1 })
      expect(await devices.ofUser(user.id, untouched.id)).toStrictEqual(untouched)
    })

    it('can lose their push token', async () => {
      const { devices } = storage()
      const user = await givenUser(storage())
      const device = await givenDevice(storage(), { userId: user.id, pushToken: aSealedField() })
      const untouched = await givenDevice(storage(), { userId: user.id, pushToken: aSealedField() })
      expect(await devices.setPushToken(user.id, device.id, null, later)).toBe(true)
      expect(await devices.ofUser(user.id, device.id)).toStrictEqual({ ...device, pushToken: null, updatedAt: later })
      expect(await devices.setPushToken(user.id, device.id, null, later + 1)).toBe(true)
      expect(await devices.ofUser(user.id, untouched.id)).toStrictEqual(untouched)
    })

    it('store a push token of any length unchanged', async () => {
      const { devices } = storage()
      const user = await givenUser(storage())
      const pushToken = aSealedField()
      const long = `${pushToken}${'A-_z'.repeat(6000)}` as typeof pushToken
      const device = await givenDevice(storage(), { userId: user.id, pushToken: long })
      expect((await devices.ofUser(user.id, device.id))?.pushToken).toBe(long)
    })

    it.each(hostileTexts)('store this text unchanged: %j', async (text) => {
      const { devices } = storage()
      const { user, sessionId } = await givenUserInSession(storage())
      const device = await givenDevice(storage(), {
        userId: user.id,
        deviceName: text,
        deviceFingerprint: text,
        publicKey: text,
      })
      expect(await devices.ofUser(user.id, device.id)).toStrictEqual(device)
      expect(await devices.allOfUser(user.id)).toStrictEqual([device])
      expect(await devices.registrationState(user.id, text)).toStrictEqual({ fingerprintTaken: true, devices: 1 })
      const inVain = await devices.register(aDevice({ userId: user.id, deviceFingerprint: text }), sessionId, 20)
      expect(inVain).toBe('fingerprint_taken')
    })
  })
}
