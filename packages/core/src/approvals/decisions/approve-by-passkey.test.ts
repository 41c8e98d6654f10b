import { createTestCountersign, type TestCountersign, type TestCountersignOverrides } from '@countersign/storage-sqlite/testing'
import { describe, expect, it } from 'vitest'
import { InsufficientTrustLevel } from '../../identity/authentication/caller.ts'
import { InvalidAccessToken } from '../../identity/authentication/errors.ts'
import { PasskeyNotFound } from '../../identity/passkeys/errors.ts'
import { hours, minutes } from '../../shared/clock.ts'
import { initiatePayment } from '../../testing/initiate-payment.ts'
import { approvalByPasskey, registerTestPasskey, signInByPasskey, signInNewPasskeyUser } from '../../testing/passkeys.ts'
import {
  createTestUser,
  registerTestDevice,
  signIn,
  signInByDevice,
  signInNewDeviceUser,
  signInNewUser,
} from '../../testing/sign-in.ts'
import { validPayloads } from '../../testing/valid-payloads.ts'
import { createVirtualPasskey } from '../../testing/virtual-passkey.ts'
import type { AssertionChanges, VirtualPasskeyOptions } from '../../testing/virtual-passkey-types.ts'
import { ConfirmationUsed, WrongConfirmationSignature } from '../confirmations/errors.ts'
import type { UncountedReason } from '../requests/errors.ts'
import { ApprovalNotApproved, PasskeyNotAdmitted, SameKey, TooFewApprovers } from '../requests/errors.ts'
import { ConfirmationNotApproved } from '../use/errors.ts'

const on = { passkeyApprovals: true } as const

/** A user with a trusted passkey and no device, logged in by password, and a payment that waits. */
const given = async ({ options, ...overrides }: TestCountersignOverrides = {}, passkey: VirtualPasskeyOptions = {}) => {
  const test = await createTestCountersign({ ...overrides, options: { ...on, ...options } })
  const user = await signInNewPasskeyUser(test, { virtual: createVirtualPasskey(passkey) })
  const confirmation = await initiatePayment(test, user.caller)
  const approve = (changes: AssertionChanges = {}, members: object = {}) =>
    test.countersign.confirmations.approve({
      ...approvalByPasskey(user.virtual, confirmation, changes),
      ...members,
      caller: user.caller,
    })
  const stored = () => test.storage.confirmations.byId(confirmation.id)
  const consume = (countersign = test.countersign) =>
    countersign.confirmations.consume({
      confirmationId: confirmation.id,
      userId: user.user.id,
      actionType: 'payment_approval',
      actionPayload: validPayloads.payment_approval,
      consumedBy: 'payment 1',
    })
  return { ...test, test, ...user, confirmation, approve, stored, consume }
}

describe('an approval by a passkey', () => {
  it.each(['ES256', 'RS256'] as const)('with %s is stored with its assertion, and consumed once', async (algorithm) => {
    const { approve, stored, consume, passkey, confirmation, receiptOf } = await givenWithReceipt({}, { algorithm })
    await approve()
    expect(await stored()).toMatchObject({
      status: 'approved',
      deviceId: null,
      passkeyId: passkey.id,
      evidence: {
        algorithm,
        over: 'assertion',
        assertion: { origin: 'http://localhost:4000', rpId: 'localhost', backedUp: true },
      },
    })
    expect(await receiptOf(confirmation.id)).toMatchObject({ device: { kind: 'passkey', id: passkey.id, rpId: 'localhost' } })
    await consume()
    await expect(approve()).rejects.toThrow(ConfirmationUsed)
  })

  it('is accepted in any session of the user, and in none of another user', async () => {
    const { test, user, virtual, confirmation, stored } = await given()
    const { approve } = test.countersign.confirmations
    const stranger = await signInNewPasskeyUser(test)
    const approval = approvalByPasskey(virtual, confirmation)
    await expect(approve({ ...approval, caller: stranger.caller })).rejects.toMatchObject({ code: 'confirmation_not_found' })
    const own = approvalByPasskey(stranger.virtual, confirmation)
    const again = await signIn(test, user)
    await expect(approve({ ...own, caller: again.caller })).rejects.toThrow(PasskeyNotFound)
    await approve({ ...approval, caller: again.caller })
    expect(await stored()).toMatchObject({ status: 'approved' })
  })

  it('is refused before any look-up if the option is off, and the confirmation stays pending', async () => {
    const { approve, stored, passkey } = await given({ options: { passkeyApprovals: false } })
    await expect(approve()).rejects.toStrictEqual(new InsufficientTrustLevel())
    await expect(approve({}, { credentialId: 'not base64!' })).rejects.toStrictEqual(new InsufficientTrustLevel())
    expect(await stored()).toMatchObject({ status: 'pending', wrongSignatures: 0 })
    expect(passkey.trusted).toBe(true)
  })

  it.each<[string, AssertionChanges]>([
    ['type', { clientData: { type: 'webauthn.create' } }],
    ['challenge', { clientData: { challenge: 'A'.repeat(43) } }],
    ['origin', { clientData: { origin: 'https://evil.test' } }],
    ['cross_origin', { clientData: { crossOrigin: true } }],
    ['cross_origin', { clientData: { crossOrigin: null } }],
    ['cross_origin', { clientData: { topOrigin: 'https://evil.test' } }],
    ['relying_party', { rpId: 'evil.test' }],
    ['user_presence', { flags: { userPresent: false } }],
    ['user_verification', { flags: { userVerified: false } }],
    ['backup_flags', { flags: { backupEligible: false, backedUp: true } }],
    ['backup_eligibility', { flags: { backupEligible: false, backedUp: false } }],
    ['authenticator_data', { flags: { attestedCredential: true } }],
    ['type', { clientDataBytes: (bytes) => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]) }],
    ['type', { clientDataBytes: (bytes) => Buffer.from(bytes.toString().replace('}', ',"x":"\xff"}'), 'latin1') }],
  ])('counts as a wrong signature for its %s: %j', async (reason, changes) => {
    const { approve, stored, logger, user, passkey } = await given()
    await expect(approve(changes)).rejects.toThrow(WrongConfirmationSignature)
    expect(await stored()).toMatchObject({ status: 'pending', wrongSignatures: 1 })
    const fields = { reason, userId: user.id, passkeyId: passkey.id.slice(0, 8) }
    expect(logger.entries).toStrictEqual([{ level: 'warn', event: 'passkey_refused', fields }])
  })

  it('rejects the confirmation at the fifth wrong signature', async () => {
    const { approve, stored, logger } = await given()
    for (let time = 0; time < 5; time += 1) {
      await expect(approve({ signingKey: createVirtualPasskey().keyPair.privateKey })).rejects.toThrow(WrongConfirmationSignature)
      // The line names nobody, because anybody can send a wrong signature.
      expect(logger.entries.at(-1)).toStrictEqual({ level: 'info', event: 'passkey_refused', fields: { reason: 'signature' } })
    }
    expect(await stored()).toMatchObject({ status: 'rejected' })
    await expect(approve()).rejects.toThrow(ConfirmationUsed)
  })

  it('cannot be the assertion of a login or of another confirmation, and its assertion cannot log in', async () => {
    const { test, caller, virtual, confirmation, approve } = await given()
    const { challengeId, publicKey } = await test.countersign.passkeys.beginLogin({})
    const { response } = virtual.get(publicKey)
    const { userHandle: _, ...login } = response
    const members = { confirmationId: confirmation.id, credentialId: virtual.id, ...login }
    const verify = test.countersign.confirmations.approve
    await expect(verify({ ...members, caller })).rejects.toThrow(WrongConfirmationSignature)
    const other = approvalByPasskey(virtual, await initiatePayment(test, caller))
    await expect(verify({ ...other, confirmationId: confirmation.id, caller })).rejects.toThrow(WrongConfirmationSignature)
    // The challenge itself, without the domain of approvals.
    const bare = Buffer.from(confirmation.challenge, 'base64').toString('base64url')
    await expect(approve({ clientData: { challenge: bare } })).rejects.toThrow(WrongConfirmationSignature)
    const { credentialId: id, ...signed } = approvalByPasskey(virtual, confirmation)
    const { authenticatorData, clientDataJSON, signature } = signed
    const answer = { authenticatorData, clientDataJSON, signature, userHandle: virtual.userHandle ?? '' }
    const credential = { id, rawId: id, type: 'public-key', response: answer } as const
    await expect(test.countersign.passkeys.finishLogin({ challengeId, credential })).rejects.toThrow('Invalid passkey')
  })

  it('is accepted only from pages of the approver origins, whatever origins are allowed to log in', async () => {
    const approverOrigins = ['https://approve.example.com']
    const { approve, test, virtual, stored } = await given({ options: { approverOrigins } })
    await signInByPasskey(test, virtual)
    await expect(approve()).rejects.toThrow(WrongConfirmationSignature)
    await approve({ clientData: { origin: 'https://approve.example.com' } })
    expect(await stored()).toMatchObject({ evidence: { assertion: { origin: 'https://approve.example.com' } } })
  })

  it('needs a counter that rises', async () => {
    const { approve, test, virtual, passkey } = await given({}, { counts: true })
    await signInByPasskey(test, virtual, { changes: { signCount: 9 } })
    await expect(approve({ signCount: 9 })).rejects.toThrow(WrongConfirmationSignature)
    await approve({ signCount: 10 })
    expect((await test.storage.passkeys.withId(passkey.id))[0]).toMatchObject({ signCount: 10 })
  })

  it('is refused with the name of a member that is not base64 or not authenticator data', async () => {
    const { approve } = await given()
    await expect(approve({}, { signature: 'ä' })).rejects.toMatchObject({ fields: { signature: expect.any(String) } })
    await expect(approve({}, { authenticatorData: 'AAAA' })).rejects.toMatchObject({
      fields: { authenticatorData: 'must be exactly authenticator data' },
    })
  })

  it('needs the number of the asking page', async () => {
    const { test, virtual, caller } = await given({ options: { numberMatching: true } })
    const asked = await initiatePayment(test, caller)
    const approval = { ...approvalByPasskey(virtual, asked), caller }
    await expect(test.countersign.confirmations.approve(approval)).rejects.toMatchObject({ code: 'invalid_input' })
    const wrong = asked.matchNumber === '00' ? '01' : '00'
    await expect(test.countersign.confirmations.approve({ ...approval, matchNumber: wrong })).rejects.toMatchObject({
      code: 'wrong_match_number',
    })
    await test.countersign.confirmations.approve({ ...approval, matchNumber: asked.matchNumber ?? '' })
  })

  it('is not possible in a session that has ended', async () => {
    const { test, caller, approve } = await given()
    await test.storage.sessions.end(caller.sessionId, 'logout', test.clock.now())
    await expect(approve()).rejects.toThrow(InvalidAccessToken)
  })

  it('cannot be consumed after the option is switched off or the passkey was removed', async () => {
    const { approve, consume, test, storage, passkey, caller, confirmation } = await given()
    await approve()
    const off = await createTestCountersign({ storage, clock: test.clock, encryptionKeys: test.encryptionKeys })
    const refusalFor = (reason: UncountedReason) =>
      new ConfirmationNotApproved([{ userId: caller.userId, confirmationId: confirmation.id, reason }])
    await expect(consume(off.countersign)).rejects.toStrictEqual(refusalFor('kind_of_key'))
    await test.countersign.passkeys.remove({ caller, credentialId: passkey.id })
    await expect(consume()).rejects.toStrictEqual(refusalFor('key_removed'))
  })

  it('keeps its receipt after the passkey was removed', async () => {
    const { approve, test, passkey, caller, confirmation } = await given()
    await approve()
    await test.countersign.passkeys.remove({ caller, credentialId: passkey.id })
    await expect(test.countersign.receipts.export({ confirmationId: confirmation.id })).resolves.toMatch(/~$/)
  })
})

/** The same, with the claims of receipts. */
const givenWithReceipt = async (...[overrides, passkey]: Parameters<typeof given>) => {
  const all = await given(overrides, passkey)
  const receiptOf = async (confirmationId: string): Promise<unknown> => {
    const receipt = await all.test.countersign.receipts.export({ confirmationId })
    return JSON.parse(Buffer.from(receipt.split('.')[1] ?? '', 'base64url').toString())
  }
  return { ...all, receiptOf }
}

describe('a passkey on probation', () => {
  /** A user with a trusted passkey, and with a second passkey that an older session registered. */
  const givenSecond = async () => {
    const all = await given()
    all.clock.advance(minutes(11))
    const second = await registerTestPasskey(all.test, all.caller)
    expect(second.passkey).toMatchObject({ trusted: false, trustedAt: null })
    return { ...all, second }
  }

  it('approves nothing, and does not vouch for itself', async () => {
    const { test, caller, second, storage, user } = await givenSecond()
    const payment = await initiatePayment(test, caller)
    const { approve } = test.countersign.confirmations
    await expect(approve({ ...approvalByPasskey(second.virtual, payment), caller })).rejects.toThrow(InsufficientTrustLevel)
    const vouching = (await storage.confirmations.pendingOfUser(user.id, test.clock.now())).find(
      ({ actionType }) => actionType === 'device_register',
    )
    if (vouching === undefined) throw new Error('a trusted passkey can decide, so a vouching starts')
    const { matchNumber = '' } = second.passkey.vouching ?? {}
    const own = { ...approvalByPasskey(second.virtual, vouching), caller, matchNumber }
    await expect(approve(own)).rejects.toThrow(InsufficientTrustLevel)
    const session = await signInByPasskey(test, second.virtual)
    const rejection = { caller: session.caller, confirmationId: vouching.id }
    await expect(test.countersign.confirmations.reject(rejection)).rejects.toThrow(InsufficientTrustLevel)
  })

  it('becomes trusted after the cooling-off if passkeys do not approve', async () => {
    const off = await given({ options: { passkeyApprovals: false } })
    off.clock.advance(minutes(11))
    const second = await registerTestPasskey(off.test, off.caller)
    expect(second.passkey.trustedAt).toBe(off.clock.now() + hours(12))
  })

  it('becomes trusted when a trusted passkey vouches for it', async () => {
    const { test, caller, virtual, second, storage, user } = await givenSecond()
    const [vouching] = await storage.confirmations.pendingOfUser(user.id, test.clock.now())
    if (vouching === undefined) throw new Error('a vouching starts')
    const { matchNumber = '' } = second.passkey.vouching ?? {}
    await test.countersign.confirmations.approve({ ...approvalByPasskey(virtual, vouching), caller, matchNumber })
    const passkeys = await test.countersign.passkeys.list({ caller })
    expect(passkeys.map(({ trusted }) => trusted)).toStrictEqual([true, true])
  })

  it('is removed when a session of a trusted passkey rejects its vouching', async () => {
    const { test, virtual, second, storage, user } = await givenSecond()
    const vouching = (await storage.confirmations.pendingOfUser(user.id, test.clock.now())).find(
      ({ actionType }) => actionType === 'device_register',
    )
    const { caller } = await signInByPasskey(test, virtual)
    await test.countersign.confirmations.reject({ caller, confirmationId: vouching?.id ?? '' })
    expect((await storage.passkeys.allOfUser(user.id)).map(({ id }) => id)).not.toContain(second.passkey.id)
  })
})

describe('what waits for a user', () => {
  const pendingFor = async (test: TestCountersign, caller: Awaited<ReturnType<typeof signIn>>['caller']) =>
    (await test.countersign.confirmations.pending({ caller })).length

  it('can be read and rejected by `notMe` in a session that a trusted passkey with user verification opened', async () => {
    const { test, virtual, caller, confirmation } = await given()
    const session = await signInByPasskey(test, virtual)
    expect(session.caller.trustLevel).toBe('standard')
    expect(await pendingFor(test, session.caller)).toBe(1)
    await test.countersign.confirmations.reject({ caller: session.caller, confirmationId: confirmation.id, notMe: true })
    expect(await test.storage.sessions.status(caller.sessionId)).toBeUndefined()
    expect(await pendingFor(test, session.caller)).toBe(0)
  })

  it('is not shown to a session by password, by a passkey without user verification, or if the option is off', async () => {
    const { test, virtual, caller } = await given()
    const unverified = await signInByPasskey(test, virtual, { changes: { flags: { userVerified: false } } })
    for (const one of [caller, unverified.caller]) await expect(pendingFor(test, one)).rejects.toThrow(InsufficientTrustLevel)
    const off = await given({ options: { passkeyApprovals: false } })
    const session = await signInByPasskey(off.test, off.virtual)
    await expect(pendingFor(off.test, session.caller)).rejects.toThrow(InsufficientTrustLevel)
    await expect(
      off.test.countersign.confirmations.reject({ caller: session.caller, confirmationId: off.confirmation.id, notMe: true }),
    ).rejects.toThrow(InsufficientTrustLevel)
  })

  it('cannot be rejected by `notMe` in a session whose passkey was removed meanwhile', async () => {
    const { test, virtual, confirmation, caller, passkey } = await given()
    const session = await signInByPasskey(test, virtual)
    await test.storage.passkeys.remove(session.caller.userId, passkey.id, test.clock.now())
    const rejection = { caller: session.caller, confirmationId: confirmation.id, notMe: true }
    await expect(test.countersign.confirmations.reject(rejection)).rejects.toThrow(InvalidAccessToken)
    expect(await test.storage.sessions.status(caller.sessionId)).toBeDefined()
  })
})

describe('a request for several approvals', () => {
  const permission = 'payment.approve' as const
  const action = { actionType: 'payment_approval', actionPayload: validPayloads.payment_approval } as const
  const service = { name: 'billing', scopes: ['approval.redeem:payment_approval'] }
  const band = (approver?: 'device' | 'unsynced') => ({
    bands: [{ groups: [{ permission, count: 1 }], ...(approver && { approver }) }] as const,
  })

  /** A requester, and an approver with a passkey and no device. */
  const givenRequest = async (approver?: 'device' | 'unsynced', passkey: VirtualPasskeyOptions = {}) => {
    const options = { ...on, approvalPolicies: { payment_approval: band(approver) } } as const
    const test = await createTestCountersign({ options })
    const requester = await signInNewDeviceUser(test)
    const approving = async () => {
      const web = await signIn(test, await createTestUser(test, { permissions: [permission] }))
      const registered = await registerTestPasskey(test, web.caller, { virtual: createVirtualPasskey(passkey) })
      return { ...web, ...registered }
    }
    const user = await approving()
    const start = () => test.countersign.approvalRequests.start({ ...action, caller: requester.web.caller })
    const asked = async (of = user) => {
      const [vote] = await test.storage.confirmations.pendingOfUser(of.user.id, test.clock.now())
      if (vote === undefined) throw new Error('nobody was asked')
      return vote
    }
    const approve = async (of = user) =>
      test.countersign.confirmations.approve({ ...approvalByPasskey(of.virtual, await asked(of)), caller: of.caller })
    const redeem = (approvalId: string, countersign = test.countersign) =>
      countersign.approvalRequests.redeem({ ...action, approvalId, permission, count: 1, service })
    return { test, requester, user, start, asked, approve, redeem }
  }

  it('asks a holder of the permission who has only a trusted passkey, and who approves with it', async () => {
    const { start, approve, redeem } = await givenRequest()
    const { id } = await start()
    await approve()
    expect((await redeem(id)).receipts).toHaveLength(1)
  })

  it('cannot be redeemed after passkeys stopped approving or the passkey was removed', async () => {
    const { test, start, approve, redeem, user } = await givenRequest()
    const { id } = await start()
    await approve()
    const options = { approvalPolicies: { payment_approval: band() } }
    const { storage, clock, encryptionKeys } = test
    const off = await createTestCountersign({ storage, clock, encryptionKeys, options })
    await expect(redeem(id, off.countersign)).rejects.toMatchObject({ code: 'approval_not_approved' })
    await test.countersign.passkeys.remove({ caller: user.caller, credentialId: user.passkey.id })
    await expect(redeem(id)).rejects.toMatchObject({ code: 'approval_not_approved' })
  })

  it('under a policy for devices only is refused if the approvers have only passkeys, and refuses the passkey of an approver', async () => {
    const { test, start, user, approve, asked } = await givenRequest('device')
    await expect(start()).rejects.toMatchObject({ code: 'too_few_approvers' })
    const registered = await registerTestDevice(test, user.caller)
    await start()
    await expect(approve()).rejects.toThrow(PasskeyNotAdmitted)
    expect(await asked()).toMatchObject({ status: 'pending', wrongSignatures: 0 })
    const { caller } = await signInByDevice(test, registered)
    const { id: confirmationId, challenge } = await asked()
    const signedChallenge = registered.signer.sign(challenge)
    await test.countersign.confirmations.approve({ caller, confirmationId, deviceId: registered.device.id, signedChallenge })
  })

  it('under a policy without synced passkeys refuses a synced passkey, and accepts a device-bound one', async () => {
    const synced = await givenRequest('unsynced')
    await synced.start()
    await expect(synced.approve()).rejects.toThrow(PasskeyNotAdmitted)
    const bound = await givenRequest('unsynced', { backupEligible: false })
    const { id } = await bound.start()
    await bound.approve()
    expect((await bound.redeem(id)).receipts).toHaveLength(1)
  })

  it('does not count an approval by a passkey that the signed policy does not accept', async () => {
    const { test, start, approve, redeem } = await givenRequest()
    const { id } = await start()
    await approve()
    const options = { ...on, approvalPolicies: { payment_approval: band('device') } }
    const { storage, clock, encryptionKeys } = test
    const stricter = await createTestCountersign({ storage, clock, encryptionKeys, options })
    await expect(redeem(id, stricter.countersign)).rejects.toMatchObject({ code: 'policy_changed' })
  })

  it.each([false, true])('accepts no key of a passkey of the requester; the passkey was removed: %s', async (removed) => {
    const { test, requester, start, approve, redeem, user } = await givenRequest()
    const { id } = await start()
    await approve()
    const { caller } = requester.web
    const own = createVirtualPasskey({ keyPair: user.virtual.keyPair })
    const { passkey } = await registerTestPasskey(test, caller, { virtual: own })
    if (removed) await test.countersign.passkeys.remove({ caller, credentialId: passkey.id })
    await expect(redeem(id)).rejects.toThrow(ApprovalNotApproved)
    await expect(start()).rejects.toThrow(TooFewApprovers)
    await registerTestPasskey(test, user.caller)
    await start()
    await expect(approve()).rejects.toThrow(SameKey)
  })

  it('can be rejected in a session of a trusted passkey whose vote would count', async () => {
    const { test, start, user, asked } = await givenRequest()
    const { id } = await start()
    const { caller } = await signInByPasskey(test, user.virtual)
    await test.countersign.confirmations.reject({ caller, confirmationId: (await asked()).id })
    expect(await test.storage.approvalRequests.byId(id)).toMatchObject({ status: 'rejected' })
  })

  it('asks a person who gets the permission later and reads the pending list in a session of a passkey', async () => {
    const { test, start } = await givenRequest()
    await start()
    const late = await signInNewUser(test, { permissions: [permission] })
    const { virtual } = await registerTestPasskey(test, late.caller)
    const { caller } = await signInByPasskey(test, virtual)
    expect(await test.countersign.confirmations.pending({ caller })).toHaveLength(1)
  })
})
