import { describe, expect, it } from 'vitest'
import type { FullStorage } from '../../../storage.ts'
import { aConfirmation, anApprovalRequest, anEvidence } from '../../builders.ts'
import { clockStart } from '../../fake-clock.ts'
import { atOnce, tally } from '../at-once.ts'
import { givenConfirmation, givenDevice, givenPasskey, givenSession, givenUser, givenUserInSession } from '../given.ts'

const later = clockStart + 1234

const anAssertion = () => ({
  authenticatorData: 'AAAA',
  clientDataJSON: 'e30',
  origin: 'https://app.example.com',
  rpId: 'example.com',
  backedUp: true,
})

/** Declares tests of approvals by passkeys. */
export const passkeyApprovalContract = (storage: () => FullStorage): void => {
  describe('approving a confirmation by a passkey', () => {
    const given = async ({ signCount = 7 } = {}) => {
      const { user, sessionId } = await givenUserInSession(storage())
      const passkey = await givenPasskey(storage(), { userId: user.id, signCount, backedUp: false })
      const confirmation = await givenConfirmation(storage(), { userId: user.id })
      const evidence = anEvidence({ approvedAt: later, over: 'assertion', assertion: anAssertion() })
      const use = { id: passkey.id, signCount: signCount === 0 ? 0 : signCount + 1, backedUp: true }
      const approval = { id: confirmation.id, userId: user.id, passkey: use, sessionId, evidence, now: later }
      const readConfirmation = () => storage().confirmations.byId(confirmation.id)
      const readPasskey = async () => (await storage().passkeys.allOfUser(user.id)).find(({ id }) => id === passkey.id)
      return { user, sessionId, confirmation, passkey, approval, readConfirmation, readPasskey }
    }

    it.each([0, 7])('settles the confirmation, and records the counter of the passkey after %i', async (signCount) => {
      const { confirmation, passkey, approval, readConfirmation, readPasskey } = await given({ signCount })
      expect(await storage().confirmations.approve(approval)).toBe('approved')
      const approved = { status: 'approved', passkeyId: passkey.id, evidence: approval.evidence, updatedAt: later }
      expect(await readConfirmation()).toStrictEqual({ ...confirmation, ...approved })
      const used = { signCount: approval.passkey.signCount, backedUp: true, lastUsedAt: later }
      expect(await readPasskey()).toStrictEqual({ ...passkey, ...used })
    })

    it('needs a trusted passkey of the user, and changes nothing without one', async () => {
      const { confirmations } = storage()
      const { user, confirmation, approval, passkey, readConfirmation } = await given()
      const { userId } = approval
      const waiting = await givenPasskey(storage(), { userId, trustedAt: null })
      const coolingOff = await givenPasskey(storage(), { userId, trustedAt: later + 1 })
      const { id: stranger } = await givenUser(storage())
      const ofAnother = await givenPasskey(storage(), { userId: stranger })
      const approveWith = (id: string) => confirmations.approve({ ...approval, passkey: { ...approval.passkey, id } })
      for (const { id } of [waiting, coolingOff]) expect(await approveWith(id)).toBe('not_trusted')
      expect(await approveWith(ofAnother.id)).toBe('passkey_removed')
      await storage().passkeys.remove(user.id, passkey.id, later)
      expect(await confirmations.approve(approval)).toBe('passkey_removed')
      expect(await readConfirmation()).toStrictEqual(confirmation)
    })

    it('needs the live session of the user', async () => {
      const { approval, sessionId, confirmation, readConfirmation } = await given()
      await storage().sessions.end(sessionId, 'logout', later)
      expect(await storage().confirmations.approve(approval)).toBe('session_ended')
      expect(await readConfirmation()).toStrictEqual(confirmation)
    })

    it.each([
      [7, 7],
      [7, 6],
      [7, 0],
    ])('is refused if the counter is %i and the assertion says %i', async (signCount, said) => {
      const { approval, passkey, confirmation, readConfirmation, readPasskey } = await given({ signCount })
      const use = { ...approval.passkey, signCount: said }
      expect(await storage().confirmations.approve({ ...approval, passkey: use })).toBe('counter')
      expect(await readConfirmation()).toStrictEqual(confirmation)
      expect(await readPasskey()).toStrictEqual(passkey)
    })

    it('succeeds for exactly one of 100 at the same time', async () => {
      const { approval } = await given()
      const outcomes = await atOnce(100, () => storage().confirmations.approve(approval))
      expect([tally(outcomes, 'approved'), tally(outcomes, 'not_pending')]).toStrictEqual([1, 99])
    })

    it('succeeds once for one counter, with two confirmations at the same time', async () => {
      for (let round = 0; round < 5; round += 1) {
        const { approval } = await given()
        const other = await givenConfirmation(storage(), { userId: approval.userId })
        const evidence = anEvidence({ approvedAt: later, over: 'assertion', assertion: anAssertion() })
        const approvals = [approval, { ...approval, id: other.id, evidence }]
        const outcomes = await Promise.all(approvals.map((one) => storage().confirmations.approve(one)))
        expect(outcomes.toSorted()).toStrictEqual(['approved', 'counter'])
      }
    })

    it('does not change the counter if the confirmation is no longer pending', async () => {
      const { approval, passkey, confirmation, readPasskey } = await given()
      expect(await storage().confirmations.approve({ ...approval, now: confirmation.expiresAt })).toBe('not_pending')
      expect(await readPasskey()).toStrictEqual(passkey)
    })

    it('does not change the counter if the same passkey has approved the confirmation before', async () => {
      const { approval, readPasskey } = await given()
      expect(await storage().confirmations.approve(approval)).toBe('approved')
      const used = await readPasskey()
      const evidence = anEvidence({ approvedAt: later, over: 'assertion', assertion: anAssertion() })
      const again = { ...approval, evidence, passkey: { ...approval.passkey, signCount: 20 } }
      expect(await storage().confirmations.approve(again)).toBe('not_pending')
      expect(await readPasskey()).toStrictEqual(used)
    })

    it('never succeeds after the removal of the passkey, when both run at the same time', async () => {
      for (let round = 0; round < 5; round += 1) {
        const { approval, passkey, readConfirmation } = await given()
        const approve = () => storage().confirmations.approve(approval)
        const remove = () => storage().passkeys.remove(approval.userId, passkey.id, later)
        const [outcome, afterwards] = await Promise.all([approve(), remove().then(approve)])
        expect(['approved', 'passkey_removed']).toContain(outcome)
        expect(afterwards).toBe('passkey_removed')
        expect((await readConfirmation())?.status).toBe(outcome === 'approved' ? 'approved' : 'pending')
      }
    })

    it.each([false, true])('can be used only while the passkey exists and is trusted; removed: %s', async (removed) => {
      const { user, approval, passkey } = await given()
      await storage().confirmations.approve(approval)
      const use = { consumedBy: 'host:payments', consumedKey: null, receipt: null, approvedSince: later, now: later }
      const consumption = { confirmationId: approval.id, userId: user.id, ...use }
      if (removed) await storage().passkeys.remove(user.id, passkey.id, later)
      expect(await storage().approvals.use({ ...consumption, now: clockStart - 1 })).toBe(false)
      expect(await storage().approvals.use(consumption)).toBe(!removed)
    })

    it('is refused with a key of the requester, be it of a passkey or a device, also after its removal', async () => {
      const { id: requestedBy } = await givenUser(storage())
      const own = await givenPasskey(storage(), { userId: requestedBy })
      const device = await givenDevice(storage(), { userId: requestedBy })
      const removed = await givenPasskey(storage(), { userId: requestedBy })
      await storage().passkeys.remove(requestedBy, removed.id, later)
      const ofProbation = await givenPasskey(storage(), { userId: requestedBy, trustedAt: null })
      await storage().trust.removeOnProbation(requestedBy, later)
      const request = anApprovalRequest({ requestedBy, count: 1 })
      const { id: userId } = await givenUser(storage())
      const { id: sessionId } = await givenSession(storage(), { userId })
      const passkey = await givenPasskey(storage(), { userId })
      const confirmation = aConfirmation({ userId, approvalId: request.id, expiresAt: request.expiresAt })
      expect(await storage().approvalRequests.open(request, [confirmation], 10)).toBe(true)
      const approveWith = (publicKey: string) => {
        const evidence = anEvidence({ approvedAt: later, over: 'assertion', assertion: anAssertion(), publicKey })
        const use = { id: passkey.id, signCount: 0, backedUp: false }
        return storage().confirmations.approve({ id: confirmation.id, userId, passkey: use, sessionId, evidence, now: later })
      }
      for (const { spki } of [own, removed, ofProbation]) expect(await approveWith(spki)).toBe('same_key')
      expect(await approveWith(device.publicKey)).toBe('same_key')
      expect(await approveWith(passkey.spki)).toBe('approved')
    })

    it('finds the keys of trusted passkeys of several users, and none on probation', async () => {
      const [one, other] = [await givenUser(storage()), await givenUser(storage())]
      const ofOne = await givenPasskey(storage(), { userId: one.id })
      const ofOther = await givenPasskey(storage(), { userId: other.id })
      await givenPasskey(storage(), { userId: one.id, trustedAt: null })
      const query = { userIds: [one.id, other.id], now: later, tenant: null, approverDevices: true }
      const found = await storage().trust.trustedKeysOf({ ...query, passkeys: true })
      expect(found.map(({ userId, publicKey }) => [userId, publicKey]).toSorted()).toStrictEqual(
        [ofOne, ofOther].map(({ userId, spki }) => [userId, spki]).toSorted(),
      )
      expect(await storage().trust.trustedKeysOf({ ...query, passkeys: false })).toStrictEqual([])
    })

    it('finds no key of a device that the approver registered, if such devices approve by passkey only', async () => {
      const { id: userId } = await givenUser(storage())
      const [own, ofApprover] = [
        await givenDevice(storage(), { userId }),
        await givenDevice(storage(), { userId, registeredWith: 'approver' }),
      ]
      const keysOf = async (approverDevices: boolean) => {
        const query = { userIds: [userId], now: later, tenant: null, passkeys: true, approverDevices }
        return (await storage().trust.trustedKeysOf(query)).map(({ publicKey }) => publicKey).toSorted()
      }
      expect(await keysOf(false)).toStrictEqual([own.publicKey])
      expect(await keysOf(true)).toStrictEqual([own.publicKey, ofApprover.publicKey].toSorted())
    })
  })
}
