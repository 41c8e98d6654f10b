import { createTestCountersign, type TestCountersign } from '@countersign/storage-sqlite/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Caller } from '../../identity/authentication/caller.ts'
import { openField } from '../../shared/crypto/field-encryption.ts'
import { aDevice } from '../../testing/builders.ts'
import { initiatePayment } from '../../testing/initiate-payment.ts'
import { type DeviceUser, signInNewDeviceUser, signInNewUser } from '../../testing/sign-in.ts'
import { validPayloads } from '../../testing/valid-payloads.ts'
import type { InitiatedConfirmation } from '../confirmations/build-confirmation.ts'
import { ConfirmationExpired, ConfirmationNotFound, ConfirmationUsed } from '../confirmations/errors.ts'
import type { Confirmation } from '../records/confirmation.ts'

let test: TestCountersign
let user: DeviceUser
let confirmation: InitiatedConfirmation
beforeEach(async () => {
  test = await createTestCountersign()
  user = await signInNewDeviceUser(test)
  confirmation = await initiatePayment(test, user.web.caller)
})

const reject = (reason?: string, caller: Caller = user.web.caller) =>
  test.countersign.confirmations.reject({ caller, confirmationId: confirmation.id, ...(reason === undefined ? {} : { reason }) })
const kept = () => test.storage.confirmations.byId(confirmation.id)

describe('rejecting a confirmation', () => {
  it('is possible in a session opened by password and in a session opened by a device', async () => {
    await reject(undefined, user.mobile.caller)
    expect(await kept()).toMatchObject({ status: 'rejected', deviceId: null, updatedAt: test.clock.now() })
    confirmation = await initiatePayment(test, user.web.caller)
    await reject(undefined, user.web.caller)
    expect(await kept()).toMatchObject({ status: 'rejected' })
  })

  it('stores the reason encrypted, bound to its row', async () => {
    await reject('canary: never asked for this')
    const { rejectReason, id } = (await kept()) as Confirmation
    expect(rejectReason).not.toBeNull()
    expect(JSON.stringify(await kept())).not.toContain('canary')
    const place = { table: 'confirmations', column: 'reject_reason', row: id } as const
    const sealed = rejectReason as NonNullable<typeof rejectReason>
    expect(openField(test.encryptionKeys, place, sealed)).toBe('canary: never asked for this')
    expect(() => openField(test.encryptionKeys, { ...place, row: 'conf_x' }, sealed)).toThrow('moved or changed')
  })

  it('needs no reason, and treats an empty reason as none', async () => {
    await reject()
    expect(await kept()).toMatchObject({ status: 'rejected', rejectReason: null })
    confirmation = await initiatePayment(test, user.web.caller)
    await reject('')
    expect(await kept()).toMatchObject({ status: 'rejected', rejectReason: null })
  })

  it('shows the reason to its user, and `null` before and without a rejection', async () => {
    const status = (confirmationId: string, caller: Caller = user.web.caller) =>
      test.countersign.confirmations.status({ caller, confirmationId })
    expect(await status(confirmation.id)).toMatchObject({ status: 'pending', reason: null })
    await reject('never asked for this')
    expect(await status(confirmation.id)).toMatchObject({ status: 'rejected', reason: 'never asked for this' })
    expect(await status(confirmation.id, user.mobile.caller)).toMatchObject({ reason: 'never asked for this' })
    const { caller } = await signInNewUser(test)
    await expect(status(confirmation.id, caller)).rejects.toStrictEqual(new ConfirmationNotFound())
    confirmation = await initiatePayment(test, user.web.caller)
    await reject()
    expect(await status(confirmation.id)).toMatchObject({ status: 'rejected', reason: null })
  })

  it('refuses a reason of more than 1000 characters', async () => {
    await expect(reject('x'.repeat(1001))).rejects.toThrow('reason: must be text of at most 1000 characters')
    expect(await kept()).toMatchObject({ status: 'pending' })
    await expect(reject('🔐'.repeat(1000))).resolves.toStrictEqual({ sessionEnded: false })
  })

  it('is refused the second time', async () => {
    await reject('the first')
    await expect(reject('the second')).rejects.toStrictEqual(new ConfirmationUsed())
  })

  it('is refused after the approval', async () => {
    await test.countersign.confirmations.approve({
      caller: user.mobile.caller,
      confirmationId: confirmation.id,
      deviceId: user.device.id,
      signedChallenge: user.signer.sign(confirmation.challenge),
    })
    await expect(reject()).rejects.toStrictEqual(new ConfirmationUsed())
    expect(await kept()).toMatchObject({ status: 'approved', rejectReason: null })
  })

  it('is possible before `expiresAt`, and refused from that millisecond on', async () => {
    const expired = await initiatePayment(test, user.web.caller)
    test.clock.set(confirmation.expiresAt - 1)
    await expect(reject()).resolves.toStrictEqual({ sessionEnded: false })
    confirmation = expired
    test.clock.set(confirmation.expiresAt)
    await expect(reject()).rejects.toStrictEqual(new ConfirmationExpired())
    expect(await kept()).toMatchObject({ status: 'pending', rejectReason: null })
  })

  it('is refused for the confirmation of another user as if there were none', async () => {
    const { caller } = await signInNewUser(test)
    await expect(reject('mine now', caller)).rejects.toStrictEqual(new ConfirmationNotFound())
    const unknown = test.countersign.confirmations.reject({ caller, confirmationId: 'conf_x' })
    await expect(unknown).rejects.toStrictEqual(new ConfirmationNotFound())
    expect(await kept()).toMatchObject({ status: 'pending', rejectReason: null })
  })
})

describe('rejecting the confirmation of an approval request', () => {
  const permission = 'payment.approve'
  const given = async () => {
    test = await createTestCountersign({ options: { approvalPolicies: { payment_approval: { permission, count: 1 } } } })
    const requester = await signInNewDeviceUser(test)
    const [approver, other] = [await signInNewDeviceUser(test), await signInNewDeviceUser(test)]
    const { users, approvalRequests, confirmations } = test.countersign
    for (const { email } of [approver.user, other.user]) await users.grant({ email, permissions: [permission] })
    const action = { actionType: 'payment_approval', actionPayload: validPayloads.payment_approval } as const
    const { id: approvalId } = await approvalRequests.start({ ...action, caller: requester.web.caller })
    const [vote] = await confirmations.pending({ caller: approver.mobile.caller })
    const rejectAs = (caller: Caller) => confirmations.reject({ caller, confirmationId: vote?.id ?? '' })
    const status = async () => (await approvalRequests.read({ caller: requester.web.caller, approvalId })).status
    return { approver, rejectAs, status }
  }

  it('ends the request, if the device is trusted and the vote of its user counts', async () => {
    const { approver, rejectAs, status } = await given()
    await rejectAs(approver.mobile.caller)
    expect(await status()).toBe('rejected')
  })

  it('leaves the request open after the user lost the permission', async () => {
    const { approver, rejectAs, status } = await given()
    await test.countersign.users.revoke({ email: approver.user.email, permissions: [permission] })
    await rejectAs(approver.mobile.caller)
    expect(await status()).toBe('pending')
  })

  it('leaves the request open in a session of a password, and for a device on probation', async () => {
    const byPassword = await given()
    await byPassword.rejectAs(byPassword.approver.web.caller)
    expect(await byPassword.status()).toBe('pending')
    const { approver, rejectAs, status } = await given()
    const device = { ...aDevice({ userId: approver.user.id }), trustedAt: null }
    await test.storage.devices.register(device, approver.web.caller.sessionId, 20)
    await rejectAs({ ...approver.web.caller, trustLevel: 'high', deviceId: device.id })
    expect(await status()).toBe('pending')
  })
})
