import { describe, expect, it } from 'vitest'
import type { FullStorage } from '../../../storage.ts'
import { aDevice, aRegistrationEvidence } from '../../builders.ts'
import { givenUserInSession } from '../given.ts'

export const deviceRegistrationEvidenceContract = (storage: () => FullStorage): void => {
  describe('the evidence of device registrations', () => {
    const given = async () => {
      const { user, sessionId } = await givenUserInSession(storage())
      const device = aDevice({ userId: user.id })
      const evidence = aRegistrationEvidence({ userId: user.id, deviceId: device.id })
      return { user, sessionId, device, evidence }
    }
    const givenEvidence = async () => {
      const made = await given()
      expect(await storage().devices.register(made.device, made.sessionId, 20, made.evidence)).toBe('registered')
      return made
    }

    it('is found by its device, for its user only', async () => {
      const { user, device, evidence } = await givenEvidence()
      const other = await givenEvidence()
      const { devices } = storage()
      expect(await devices.evidenceOf(user.id, device.id)).toStrictEqual(evidence)
      expect(await devices.evidenceOf(other.user.id, device.id)).toBeUndefined()
      expect(await devices.evidenceOf(user.id, aDevice().id)).toBeUndefined()
    })

    it('never changes: a refused registration of the same device stores none', async () => {
      const { user, sessionId, device, evidence } = await givenEvidence()
      const { devices } = storage()
      const another = aRegistrationEvidence({ userId: user.id, deviceId: device.id })
      const again = { ...device, deviceFingerprint: aDevice().deviceFingerprint }
      expect(await devices.register(again, sessionId, 20, another)).toBe('fingerprint_taken')
      expect(await devices.evidenceOf(user.id, device.id)).toStrictEqual(evidence)
    })

    it('is stored together with its device, or neither is', async () => {
      const { user, sessionId, device, evidence } = await given()
      const attempt = storage().transaction(async (tx) => {
        await tx.devices.register(device, sessionId, 20, evidence)
        throw new Error('roll back')
      })
      await expect(attempt).rejects.toThrow('roll back')
      expect(await storage().devices.evidenceOf(user.id, device.id)).toBeUndefined()
      expect(await storage().devices.ofUser(user.id, device.id)).toBeUndefined()
      expect(await storage().devices.register(device, sessionId, 0, evidence)).toBe('too_many')
      expect(await storage().devices.evidenceOf(user.id, device.id)).toBeUndefined()
    })
  })
}
