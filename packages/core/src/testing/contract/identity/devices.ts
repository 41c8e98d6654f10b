import { describe, expect, it } from 'vitest'
import type { FullStorage } from '../../../storage.ts'
import { aDevice, aPushToken, aSealedField } from '../../builders.ts'
import { clockStart } from '../../fake-clock.ts'
import { givenDevice, givenUser, givenUserInSession } from '../given.ts'

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

    it('take one push token at the same time: of 20, exactly one has it afterwards', async () => {
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

    it('lose a push token that no longer exists, unless another one was set meanwhile', async () => {
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
  })
}
