import { describe, expect, it } from 'vitest'
import type { FullStorage } from '../../../storage.ts'
import { aDevice, aPushToken, aSealedField } from '../../builders.ts'
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
      expect(await devices.setPushToken(other.id, device.id, aPushToken(), later)).toBe(false)
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
      expect(await devices.setPushToken(user.id, id, aPushToken(), later)).toBe(false)
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
      const [first, second] = [aPushToken(), aPushToken()]
      expect(await devices.setPushToken(user.id, device.id, first, later)).toBe(true)
      expect(await devices.ofUser(user.id, device.id)).toStrictEqual({ ...device, pushToken: first.sealed, updatedAt: later })
      expect(await devices.setPushToken(user.id, device.id, second, later + 1)).toBe(true)
      expect(await devices.ofUser(user.id, device.id)).toStrictEqual({
        ...device,
        pushToken: second.sealed,
        updatedAt: later + 1,
      })
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

    it('lose a push token that another device takes, of any user, and only that token', async () => {
      const { devices } = storage()
      const [user, other] = [await givenUser(storage()), await givenUser(storage())]
      const token = aPushToken()
      const [first, second, third] = [
        await givenDevice(storage(), { userId: user.id }),
        await givenDevice(storage(), { userId: user.id }),
        await givenDevice(storage(), { userId: other.id }),
      ]
      const untouched = await givenDevice(storage(), { userId: other.id })
      const kept = aPushToken()
      await devices.setPushToken(other.id, untouched.id, kept, later)
      await devices.setPushToken(user.id, first.id, token, later)
      await devices.setPushToken(other.id, third.id, token, later)
      expect(await devices.takePushToken(aPushToken().digest, second.id, later + 1)).toStrictEqual([])
      expect([...(await devices.takePushToken(token.digest, second.id, later + 1))].sort()).toStrictEqual(
        [user.id, other.id].sort(),
      )
      expect(await devices.ofUser(user.id, first.id)).toStrictEqual({ ...first, updatedAt: later + 1 })
      expect(await devices.ofUser(other.id, third.id)).toStrictEqual({ ...third, updatedAt: later + 1 })
      expect(await devices.ofUser(other.id, untouched.id)).toMatchObject({ pushToken: kept.sealed, updatedAt: later })
      await devices.setPushToken(user.id, second.id, token, later + 2)
      expect(await devices.takePushToken(token.digest, second.id, later + 3)).toStrictEqual([])
      expect(await devices.ofUser(user.id, second.id)).toMatchObject({ pushToken: token.sealed, updatedAt: later + 2 })
    })

    it('of 20 that take one push token at the same time, one has it', async () => {
      const token = aPushToken()
      const users = await Promise.all(Array.from({ length: 20 }, () => givenUser(storage())))
      const owned = await Promise.all(users.map(({ id: userId }) => givenDevice(storage(), { userId })))
      await Promise.all(
        owned.map(({ id, userId }) =>
          storage().transaction(async (tx) => {
            await tx.devices.lock(userId, id)
            await tx.devices.takePushToken(token.digest, id, later)
            await tx.devices.setPushToken(userId, id, token, later)
          }),
        ),
      )
      const now = await Promise.all(owned.map(({ id }) => storage().devices.byId(id)))
      expect(now.filter((device) => device?.pushToken !== null)).toHaveLength(1)
    })

    it('lose a push token that is gone, unless another one was set meanwhile', async () => {
      const { devices } = storage()
      const user = await givenUser(storage())
      const device = await givenDevice(storage(), { userId: user.id })
      const [gone, next] = [aPushToken(), aPushToken()]
      await devices.setPushToken(user.id, device.id, gone, later)
      await devices.setPushToken(user.id, device.id, next, later)
      expect(await devices.forgetPushToken(device.id, gone.sealed, later + 1)).toBe(false)
      expect(await devices.forgetPushToken(aDevice().id, next.sealed, later + 1)).toBe(false)
      expect(await devices.ofUser(user.id, device.id)).toMatchObject({ pushToken: next.sealed, updatedAt: later })
      expect(await devices.forgetPushToken(device.id, next.sealed, later + 1)).toBe(true)
      expect(await devices.ofUser(user.id, device.id)).toStrictEqual({ ...device, updatedAt: later + 1 })
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
