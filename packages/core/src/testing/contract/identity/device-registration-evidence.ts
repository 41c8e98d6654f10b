import { describe, expect, it } from 'vitest'
import type { FullStorage } from '../../../storage.ts'
import { aDevice, aRegistrationEvidence } from '../../builders.ts'
import { givenDevice, givenUser, givenUserInSession } from '../given.ts'

export const deviceRegistrationEvidenceContract = (storage: () => FullStorage): void => {
  describe('the evidence of device registrations', () => {
    const givenEvidence = async () => {
      const user = await givenUser(storage())
      const device = await givenDevice(storage(), { userId: user.id })
      const evidence = aRegistrationEvidence({ userId: user.id, deviceId: device.id })
      await storage().deviceRegistrations.add(evidence)
      return { user, device, evidence }
    }

    it('is found by its device, for its user only', async () => {
      const { user, device, evidence } = await givenEvidence()
      const other = await givenEvidence()
      const { deviceRegistrations } = storage()
      expect(await deviceRegistrations.ofDevice(user.id, device.id)).toStrictEqual(evidence)
      expect(await deviceRegistrations.ofDevice(other.user.id, device.id)).toBeUndefined()
      expect(await deviceRegistrations.ofDevice(user.id, aDevice().id)).toBeUndefined()
    })

    it('never changes: further evidence for the same device is refused', async () => {
      const { user, device, evidence } = await givenEvidence()
      const { deviceRegistrations } = storage()
      const another = aRegistrationEvidence({ userId: user.id, deviceId: device.id })
      await expect(deviceRegistrations.add(another)).rejects.toThrow()
      expect(await deviceRegistrations.ofDevice(user.id, device.id)).toStrictEqual(evidence)
    })

    it('is stored together with its device, or neither is', async () => {
      const { user, sessionId } = await givenUserInSession(storage())
      const device = aDevice({ userId: user.id })
      const evidence = aRegistrationEvidence({ userId: user.id, deviceId: device.id })
      const attempt = storage().transaction(async (tx) => {
        await tx.devices.register(device, sessionId, 20)
        await tx.deviceRegistrations.add(evidence)
        throw new Error('roll back')
      })
      await expect(attempt).rejects.toThrow('roll back')
      expect(await storage().deviceRegistrations.ofDevice(user.id, device.id)).toBeUndefined()
      expect(await storage().devices.ofUser(user.id, device.id)).toBeUndefined()
      await storage().transaction(async (tx) => {
        await tx.devices.register(device, sessionId, 20)
        await tx.deviceRegistrations.add(evidence)
      })
      expect(await storage().deviceRegistrations.ofDevice(user.id, device.id)).toStrictEqual(evidence)
    })
  })
}
