import { createTestCountersign, type TestCountersign } from '@countersign/storage-sqlite/testing'
import { describe, expect, it } from 'vitest'
import type { Caller } from '../../identity/authentication/caller.ts'
import type { Trust } from '../../identity/records/trust.ts'
import type { Registered } from '../../identity/trust/with-trust.ts'
import { hours } from '../../shared/clock.ts'
import { initiatePayment } from '../../testing/initiate-payment.ts'
import { approvalByPasskey, registerTestPasskey, signInByPasskey } from '../../testing/passkeys.ts'
import {
  createTestUser,
  type RegisteredDevice,
  registerTestDevice,
  type SignedIn,
  signIn,
  signInByDevice,
  signInNewUser,
} from '../../testing/sign-in.ts'
import { validPayloads } from '../../testing/valid-payloads.ts'

const always = { passkeyApprovals: true, approverVerification: 'always' } as const
const required = { code: 'passkey_required' }

interface Answer {
  readonly caller: Caller
  readonly phone: RegisteredDevice
  readonly matchNumber?: string
}

/** Approves by the key of a phone. */
const approve = (
  { countersign }: TestCountersign,
  { caller, phone: { device, signer }, matchNumber }: Answer,
  { id: confirmationId, challenge }: { readonly id: string; readonly challenge: string },
): Promise<void> =>
  countersign.confirmations.approve({
    caller,
    confirmationId,
    deviceId: device.id,
    signedChallenge: signer.sign(challenge),
    ...(matchNumber !== undefined && { matchNumber }),
  })

/** A user with a trusted phone that the approver registered, and no passkey. */
const given = async (options: object = always) => {
  const test = await createTestCountersign({ options })
  const web = await signInNewUser(test)
  return { test, ...(await withPhone(test, web)) }
}

const withPhone = async (test: TestCountersign, web: SignedIn) => {
  const phone = await registerTestDevice(test, web.caller, { registeredWith: 'approver' })
  const { caller } = await signInByDevice(test, phone)
  const consume = (confirmationId: string, by = test.countersign) =>
    by.confirmations.consume({
      confirmationId,
      userId: web.user.id,
      actionType: 'payment_approval',
      actionPayload: validPayloads.payment_approval,
      consumedBy: 'payment 1',
    })
  return { web, phone, caller, consume }
}

describe('a phone that the approver registered, where a passkey is asked for', () => {
  it('approves nothing by its key alone, and its user approves with a passkey', async () => {
    const { test, web, phone, caller, consume } = await given()
    const confirmation = await initiatePayment(test, web.caller)
    await expect(approve(test, { phone, caller }, confirmation)).rejects.toMatchObject(required)
    expect((await test.countersign.account.me({ caller })).can.approve).toBe(false)
    const { virtual } = await registerTestPasskey(test, web.caller)
    await test.countersign.confirmations.approve({ ...approvalByPasskey(virtual, confirmation), caller })
    await expect(consume(confirmation.id)).resolves.toBeDefined()
    const byPasskey = await signInByPasskey(test, virtual)
    expect((await test.countersign.account.me({ caller: byPasskey.caller })).can.approve).toBe(true)
  })

  it('still rejects', async () => {
    const { test, web, caller } = await given()
    const { id: confirmationId } = await initiatePayment(test, web.caller)
    await test.countersign.confirmations.reject({ caller, confirmationId })
    expect((await test.storage.confirmations.byId(confirmationId))?.status).toBe('rejected')
  })

  it('vouches by its key for a passkey of the same person, and not for another device', async () => {
    const { test, web, phone, caller } = await given()
    test.clock.advance(hours(1))
    const vouchFor = async ({ vouching }: Registered<Trust>) => {
      if (vouching === undefined) expect.fail('nobody was asked')
      const pending = await test.countersign.confirmations.pending({ caller })
      const confirmation = pending.find(({ id }) => id === vouching.confirmationId) ?? expect.fail('nobody was asked')
      const matchNumber = vouching.matchNumber ?? expect.fail('no number was told')
      return approve(test, { phone, caller, matchNumber }, confirmation)
    }
    const { device } = await registerTestDevice(test, web.caller)
    await expect(vouchFor(device)).rejects.toMatchObject(required)
    const { passkey } = await registerTestPasskey(test, web.caller)
    expect(passkey.trusted).toBe(false)
    await vouchFor(passkey)
    expect(await test.countersign.passkeys.list({ caller })).toMatchObject([{ trusted: true }])
  })

  it('has given approvals that no longer count, once a passkey is asked for', async () => {
    const { test, web, phone, caller, consume } = await given({ passkeyApprovals: true })
    const confirmation = await initiatePayment(test, web.caller)
    await approve(test, { phone, caller }, confirmation)
    const { countersign } = await createTestCountersign({
      storage: test.storage,
      clock: test.clock,
      encryptionKeys: test.encryptionKeys,
      options: always,
    })
    await expect(consume(confirmation.id, countersign)).rejects.toMatchObject({
      uncounted: [{ userId: web.user.id, confirmationId: confirmation.id, reason: 'kind_of_key' }],
    })
    await expect(consume(confirmation.id)).resolves.toBeDefined()
  })

  it('leaves its user uncounted among the approvers of a request, until the user has a passkey', async () => {
    const options = { ...always, approvalPolicies: { payment_approval: { permission: 'payment.approve', count: 1 } } } as const
    const test = await createTestCountersign({ options })
    const asker = await signInNewUser(test)
    const voter = await signIn(test, await createTestUser(test, { permissions: ['payment.approve'] }))
    await withPhone(test, voter)
    const action = { actionType: 'payment_approval', actionPayload: validPayloads.payment_approval } as const
    const start = () => test.countersign.approvalRequests.start({ ...action, caller: asker.caller })
    await expect(start()).rejects.toMatchObject({ code: 'too_few_approvers' })
    await registerTestPasskey(test, voter.caller)
    await expect(start()).resolves.toMatchObject({ status: 'pending' })
  })
})

describe('a phone that another app registered', () => {
  it('approves by its key alone, whatever is asked of the approver', async () => {
    const test = await createTestCountersign({ options: always })
    const web = await signInNewUser(test)
    const phone = await registerTestDevice(test, web.caller)
    const { caller } = await signInByDevice(test, phone)
    const confirmation = await initiatePayment(test, web.caller)
    await expect(approve(test, { phone, caller }, confirmation)).resolves.toBeUndefined()
  })
})
