import { describe, expect, it } from 'vitest'
import type { FullStorage } from '../../../storage.ts'
import { aConfirmation, aDevice, anEvidence } from '../../builders.ts'
import { clockStart } from '../../fake-clock.ts'
import { atOnce, tally } from '../at-once.ts'
import { givenConfirmation, givenDevice, givenUserInSession } from '../given.ts'

const later = clockStart + 1234

export const confirmationApprovalContract = (storage: () => FullStorage): void => {
  describe('approving a confirmation by a device', () => {
    const given = async () => {
      const { user, sessionId } = await givenUserInSession(storage())
      const device = await givenDevice(storage(), { userId: user.id })
      const confirmation = await givenConfirmation(storage(), { userId: user.id })
      const approval = {
        id: confirmation.id,
        userId: user.id,
        deviceId: device.id,
        sessionId,
        evidence: anEvidence({ approvedAt: later }),
        now: later,
      }
      const readConfirmation = () => storage().confirmations.ofUser(user.id, confirmation.id)
      const readDevice = () => storage().devices.ofUser(user.id, device.id)
      return { confirmation, device, approval, readConfirmation, readDevice }
    }

    it('settles the confirmation, and records the use of the device', async () => {
      const { confirmation, device, approval, readConfirmation, readDevice } = await given()
      expect(await storage().confirmations.approve(approval)).toBe('approved')
      const approved = { status: 'approved', deviceId: device.id, evidence: approval.evidence, updatedAt: later }
      expect(await readConfirmation()).toStrictEqual({ ...confirmation, ...approved })
      expect(await readDevice()).toStrictEqual({ ...device, lastUsedAt: later })
    })

    it('needs an active device of the user', async () => {
      const { confirmations, devices } = storage()
      const { confirmation, approval, readConfirmation } = await given()
      const others = await given()
      for (const deviceId of [others.device.id, aDevice().id]) {
        expect(await confirmations.approve({ ...approval, deviceId })).toBe('device_removed')
      }
      await devices.remove(approval.userId, approval.deviceId, later)
      expect(await confirmations.approve(approval)).toBe('device_removed')
      expect(await readConfirmation()).toStrictEqual(confirmation)
      expect(await others.readDevice()).toStrictEqual(others.device)
    })

    it('needs a trusted device', async () => {
      const { confirmations, trust } = storage()
      const { confirmation, approval, readConfirmation } = await given()
      const { userId } = approval
      const waiting = await givenDevice(storage(), { userId, trustedAt: null })
      const coolingOff = await givenDevice(storage(), { userId, trustedAt: later + 1 })
      for (const { id: deviceId } of [waiting, coolingOff]) {
        expect(await confirmations.approve({ ...approval, deviceId })).toBe('not_trusted')
      }
      expect(await readConfirmation()).toStrictEqual(confirmation)
      expect(await trust.trustDevice(userId, waiting.id, later)).toBe(true)
      expect(await confirmations.approve({ ...approval, deviceId: waiting.id, now: later - 1 })).toBe('not_trusted')
      expect(await confirmations.approve({ ...approval, deviceId: coolingOff.id, now: later + 1 })).toBe('not_trusted')
      expect(await confirmations.approve({ ...approval, deviceId: waiting.id })).toBe('approved')
    })

    it('is possible for a device from the millisecond in which its cooling-off period ends', async () => {
      const { confirmations } = storage()
      const { approval } = await given()
      const { id: deviceId } = await givenDevice(storage(), { userId: approval.userId, trustedAt: later + 1 })
      expect(await confirmations.approve({ ...approval, deviceId, now: later })).toBe('not_trusted')
      expect(await confirmations.approve({ ...approval, deviceId, now: later + 1 })).toBe('approved')
    })

    it('is possible only for the user’s own confirmation, and changes no other', async () => {
      const { confirmations } = storage()
      const { approval } = await given()
      const { confirmation, readConfirmation } = await given()
      for (const id of [confirmation.id, aConfirmation().id]) {
        expect(await confirmations.approve({ ...approval, id })).toBe('not_pending')
      }
      expect(await confirmations.approve(approval)).toBe('approved')
      expect(await readConfirmation()).toStrictEqual(confirmation)
    })

    it('succeeds once, and not after a rejection', async () => {
      const { confirmations } = storage()
      const [{ approval }, rejected] = [await given(), await given()]
      expect(await confirmations.approve(approval)).toBe('approved')
      expect(await confirmations.approve({ ...approval, now: later + 1 })).toBe('not_pending')
      await confirmations.settle({ ...rejected.approval, outcome: 'rejected', deviceId: null, rejectReason: null })
      expect(await confirmations.approve(rejected.approval)).toBe('not_pending')
      expect(await rejected.readConfirmation()).toMatchObject({ status: 'rejected', deviceId: null })
    })

    it('is possible before `expiresAt`, and not from that millisecond on', async () => {
      const { confirmations } = storage()
      const { confirmation, approval, readConfirmation } = await given()
      expect(await confirmations.approve({ ...approval, now: confirmation.expiresAt })).toBe('not_pending')
      expect(await readConfirmation()).toStrictEqual(confirmation)
      expect(await confirmations.approve({ ...approval, now: confirmation.expiresAt - 1 })).toBe('approved')
    })

    it('succeeds for exactly one of concurrent approvals', async () => {
      const { approval } = await given()
      expect(tally(await atOnce(50, () => storage().confirmations.approve(approval)), 'approved')).toBe(1)
    })

    it('succeeds for exactly one of concurrent approvals and rejections', async () => {
      const { confirmations } = storage()
      for (let round = 0; round < 5; round += 1) {
        const { approval, readConfirmation } = await given()
        const rejection = { ...approval, outcome: 'rejected', deviceId: null, rejectReason: null } as const
        const [approvals, rejections] = await Promise.all([
          atOnce(10, () => confirmations.approve(approval)),
          atOnce(10, () => confirmations.settle(rejection)),
        ])
        expect(tally(approvals, 'approved') + tally(rejections, true)).toBe(1)
        const status = tally(rejections, true) === 1 ? 'rejected' : 'approved'
        expect(await readConfirmation()).toMatchObject({ status })
      }
    })

    it('never succeeds after the removal of the device, when both run at the same time', async () => {
      const { confirmations, devices } = storage()
      for (let round = 0; round < 10; round += 1) {
        const { approval, readConfirmation } = await given()
        const approve = () => confirmations.approve(approval)
        const remove = () => devices.remove(approval.userId, approval.deviceId, later)
        const [outcome, afterwards] = await Promise.all([approve(), remove().then(approve)])
        expect(['approved', 'device_removed']).toContain(outcome)
        expect(afterwards).toBe('device_removed')
        expect((await readConfirmation())?.status).toBe(outcome === 'approved' ? 'approved' : 'pending')
      }
    })

    it('is rolled back with its transaction', async () => {
      const { confirmation, device, approval, readConfirmation, readDevice } = await given()
      const undone = storage().transaction(async (tx) => {
        expect(await tx.confirmations.approve(approval)).toBe('approved')
        throw new Error('undone')
      })
      await expect(undone).rejects.toThrow('undone')
      expect(await readConfirmation()).toStrictEqual(confirmation)
      expect(await readDevice()).toStrictEqual(device)
    })
  })
}
