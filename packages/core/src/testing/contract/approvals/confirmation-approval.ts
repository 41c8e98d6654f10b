import { describe, expect, it } from 'vitest'
import type { FullStorage } from '../../../storage.ts'
import { anEvidence } from '../../builders.ts'
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
      const readConfirmation = () => storage().confirmations.byId(confirmation.id)
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
      expect(await trust.makeTrusted({ userId, kind: 'device', id: waiting.id }, later)).toBe(true)
      expect(await confirmations.approve({ ...approval, deviceId: waiting.id, now: later - 1 })).toBe('not_trusted')
      expect(await confirmations.approve({ ...approval, deviceId: coolingOff.id, now: later + 1 })).toBe('not_trusted')
      expect(await confirmations.approve({ ...approval, deviceId: waiting.id })).toBe('approved')
    })

    it('is possible before `expiresAt`, and not from that millisecond on', async () => {
      const { confirmations } = storage()
      const { confirmation, approval, readConfirmation } = await given()
      expect(await confirmations.approve({ ...approval, now: confirmation.expiresAt })).toBe('not_pending')
      expect(await readConfirmation()).toStrictEqual(confirmation)
      expect(await confirmations.approve({ ...approval, now: confirmation.expiresAt - 1 })).toBe('approved')
    })

    it('succeeds for exactly one of concurrent approvals and rejections', async () => {
      const { confirmations } = storage()
      for (let round = 0; round < 5; round += 1) {
        const { approval, readConfirmation } = await given()
        const rejection = { ...approval, outcome: 'rejected', deviceId: null, rejectReason: null } as const
        const [approvals, rejections] = await Promise.all([
          atOnce(10, () => confirmations.approve(approval)),
          atOnce(10, () => storage().approvals.settle(rejection)),
        ])
        expect(tally(approvals, 'approved') + tally(rejections, true)).toBe(1)
        const status = tally(rejections, true) === 1 ? 'rejected' : 'approved'
        expect(await readConfirmation()).toMatchObject({ status })
      }
    })

    it('never succeeds after the removal of the device, when both run at the same time', async () => {
      const { confirmations, devices } = storage()
      for (let round = 0; round < 5; round += 1) {
        const { approval, readConfirmation } = await given()
        const approve = () => confirmations.approve(approval)
        const remove = () => devices.remove(approval.userId, approval.deviceId, later)
        const [outcome, afterwards] = await Promise.all([approve(), remove().then(approve)])
        expect(['approved', 'device_removed']).toContain(outcome)
        expect(afterwards).toBe('device_removed')
        expect((await readConfirmation())?.status).toBe(outcome === 'approved' ? 'approved' : 'pending')
      }
    })
  })
}
