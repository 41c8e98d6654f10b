import { describe, expect, it } from 'vitest'
import { days } from '../../../shared/clock.ts'
import type { FullStorage } from '../../../storage.ts'
import { anEvidence, aSealedField } from '../../builders.ts'
import { clockStart } from '../../fake-clock.ts'
import { atOnce } from '../at-once.ts'
import { givenConfirmation, givenDevice, givenUserInSession } from '../given.ts'

const later = clockStart + 1234

export const approvalEvidenceContract = (storage: () => FullStorage): void => {
  describe('the evidence of an approval', () => {
    const given = async () => {
      const { user, sessionId } = await givenUserInSession(storage())
      const { id: deviceId } = await givenDevice(storage(), { userId: user.id })
      const { id } = await givenConfirmation(storage(), { userId: user.id })
      const evidence = anEvidence({ approvedAt: later })
      const approval = { id, userId: user.id, deviceId, sessionId, evidence, now: later }
      const read = () => storage().confirmations.ofUser(user.id, id)
      return { approval, read }
    }

    it.each(['ES256', 'RS256', 'PS256'] as const)(
      'is stored with an approval by %s, over the text and over the bytes',
      async (algorithm) => {
        for (const over of ['text', 'bytes'] as const) {
          const { approval, read } = await given()
          // An RSA signature of 8192 bits has 1024 bytes, and its key about 1500 characters.
          const large = { signature: Buffer.alloc(1024, 7).toString('base64url'), publicKey: 'k'.repeat(2000) }
          const evidence = anEvidence({ algorithm, over, approvedAt: later, ...large })
          expect(await storage().confirmations.approve({ ...approval, evidence })).toBe('approved')
          expect(await read()).toMatchObject({ status: 'approved', deviceId: approval.deviceId, evidence })
        }
      },
    )

    it('is that of the approval that succeeded, where several devices approve at the same time', async () => {
      const { approval, read } = await given()
      const { userId } = approval
      const devices = await Promise.all(Array.from({ length: 10 }, () => givenDevice(storage(), { userId })))
      const approvals = devices.map(({ id }) => ({ ...approval, deviceId: id, evidence: anEvidence({ approvedAt: later }) }))
      let next = 0
      const outcomes = await atOnce(10, () => storage().confirmations.approve(approvals[next++] ?? approval))
      expect(outcomes.filter((outcome) => outcome === 'approved')).toHaveLength(1)
      const stored = await read()
      const winner = approvals.find(({ deviceId }) => deviceId === stored?.deviceId)
      expect(stored?.evidence).toStrictEqual(winner?.evidence)
    })

    it('is not stored by an approval that is refused or rolled back', async () => {
      const { confirmations, sessions, devices } = storage()
      const [ended, removed, undone, approved] = [await given(), await given(), await given(), await given()]
      await sessions.end(ended.approval.sessionId, 'logout', clockStart)
      expect(await confirmations.approve(ended.approval)).toBe('session_ended')
      await devices.remove(removed.approval.userId, removed.approval.deviceId, clockStart)
      expect(await confirmations.approve(removed.approval)).toBe('device_removed')
      const attempt = storage().transaction(async (tx) => {
        await tx.confirmations.approve(undone.approval)
        throw new Error('undone')
      })
      await expect(attempt).rejects.toThrow('undone')
      for (const { read } of [ended, removed, undone]) expect(await read()).toMatchObject({ status: 'pending', evidence: null })
      expect(await confirmations.approve(approved.approval)).toBe('approved')
      expect(await confirmations.approve({ ...approved.approval, evidence: anEvidence() })).toBe('not_pending')
      expect(await approved.read()).toMatchObject({ evidence: approved.approval.evidence })
    })

    it('is never that of a rejection', async () => {
      const { confirmations } = storage()
      const [settled, locked, guessed] = [await given(), await given(), await given()]
      const rejection = { outcome: 'rejected', deviceId: null, rejectReason: aSealedField(), now: later } as const
      const { id, userId } = settled.approval
      expect(await confirmations.settle({ id, userId, ...rejection })).toBe(true)
      await confirmations.rejectAllOfUser(locked.approval.userId, later)
      await confirmations.countWrongSignature(guessed.approval.userId, guessed.approval.id, 1, later)
      for (const { approval, read } of [settled, locked, guessed]) {
        expect(await read()).toMatchObject({ status: 'rejected', evidence: null })
        expect(await confirmations.approve(approval)).toBe('not_pending')
        expect(await read()).toMatchObject({ status: 'rejected', evidence: null })
      }
    })

    it('stays when the device is removed, and after a sweep years later', async () => {
      const { confirmations, devices, sweep } = storage()
      const { approval, read } = await given()
      expect(await confirmations.approve(approval)).toBe('approved')
      const approved = await read()
      expect(await devices.remove(approval.userId, approval.deviceId, later)).toBe(true)
      await sweep(clockStart + days(3650))
      expect(await read()).toStrictEqual(approved)
      expect(approved?.evidence).toStrictEqual(approval.evidence)
    })
  })
}
