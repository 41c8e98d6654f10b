import { createTestCountersign, type TestCountersign } from '@countersign/storage-sqlite/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { deviceThumbprint } from '../../identity/devices/device-signature.ts'
import { minutes, seconds } from '../../shared/clock.ts'
import { DataErased } from '../../shared/crypto/field-encryption.ts'
import { approve } from '../../testing/approve-payment.ts'
import { clockStart } from '../../testing/fake-clock.ts'
import { initiatePayment } from '../../testing/initiate-payment.ts'
import { approvalByPasskey, registerTestPasskey } from '../../testing/passkeys.ts'
import { type DeviceUser, registerTestDevice, signInNewDeviceUser } from '../../testing/sign-in.ts'
import { validPayloads } from '../../testing/valid-payloads.ts'
import type { InitiatedConfirmation } from './build-confirmation.ts'
import { ConfirmationNotFound } from './errors.ts'

let test: TestCountersign
let user: DeviceUser
let asked: InitiatedConfirmation
beforeEach(async () => {
  test = await createTestCountersign({ options: { passkeyApprovals: true } })
  user = await signInNewDeviceUser(test)
  asked = await initiatePayment(test, user.web.caller)
})

const show = (withPayload?: boolean) => test.countersign.confirmations.show({ confirmationId: asked.id, withPayload })

/** The whole record of the pending confirmation, without the name of the person and of the device. */
const pending = () => ({
  id: asked.id,
  userId: user.user.id,
  tenant: null,
  actionType: 'payment_approval',
  actionTypeVersion: null,
  initiatedBy: null,
  approvalId: null,
  status: 'pending',
  deviceId: null,
  passkeyId: null,
  approvedAt: null,
  signatureAlgorithm: null,
  keyThumbprint: null,
  erased: false,
  consumedAt: null,
  consumedBy: null,
  voidedAt: null,
  withdrawnAt: null,
  createdAt: clockStart,
  expiresAt: clockStart + minutes(5),
  updatedAt: clockStart,
})

/** The members of the record that the approval by the device of the user changes. */
const approvedByDevice = (now: number) => ({
  status: 'approved',
  deviceId: user.device.id,
  approvedAt: now,
  signatureAlgorithm: 'ES256',
  keyThumbprint: deviceThumbprint(user.device),
  updatedAt: now,
})

const approveByDevice = async (): Promise<number> => {
  test.clock.advance(seconds(3))
  await approve(test, user, asked)
  return test.clock.now()
}

describe('a confirmation that an administrator looks at', () => {
  it('names the person, and has no content unless the administrator asks for it', async () => {
    const { email } = user.user
    const record = { ...pending(), email, deviceName: null }
    expect(await show()).toStrictEqual(record)
    const content = { actionPayload: validPayloads.payment_approval, reason: null }
    expect(await show(true)).toStrictEqual({ ...record, ...content })
    const { confirmations } = test.countersign
    expect(await confirmations.listAll({})).toStrictEqual({ items: [{ ...pending(), email }], next: null })
    await confirmations.reject({ caller: user.web.caller, confirmationId: asked.id, reason: 'Wrong amount' })
    const rejected = { ...record, status: 'rejected' }
    expect(await show()).toStrictEqual(rejected)
    expect(await show(true)).toStrictEqual({ ...rejected, ...content, reason: 'Wrong amount' })
  })

  it('names the device that approved, also after the device was removed', async () => {
    await registerTestDevice(test, user.web.caller)
    const now = await approveByDevice()
    const { email } = user.user
    const { id: deviceId, deviceName } = user.device
    const record = { ...pending(), ...approvedByDevice(now), email, deviceName }
    expect(await show()).toStrictEqual(record)
    await test.countersign.devices.remove({ caller: user.web.caller, deviceId })
    expect(await show()).toStrictEqual(record)
  })

  it('names the passkey that approved, until the passkey is removed', async () => {
    const { caller } = user.web
    await registerTestPasskey(test, caller, { name: 'The other passkey' })
    const { virtual, passkey } = await registerTestPasskey(test, caller, { name: 'The passkey of Ada' })
    await test.countersign.confirmations.approve({ ...approvalByPasskey(virtual, asked), caller })
    const byPasskey = { status: 'approved', deviceId: null, passkeyId: passkey.id }
    expect(await show()).toMatchObject({ ...byPasskey, deviceName: 'The passkey of Ada' })
    await test.countersign.passkeys.remove({ caller, credentialId: passkey.id })
    expect(await show()).toMatchObject({ ...byPasskey, deviceName: null })
  })

  it('keeps the facts of the approval after the user was deleted, without names, and has no content', async () => {
    const now = await approveByDevice()
    test.clock.advance(seconds(3))
    await test.countersign.users.delete({ email: user.user.email })
    expect(await show()).toStrictEqual({
      ...pending(),
      ...approvedByDevice(now),
      erased: true,
      voidedAt: test.clock.now(),
      email: null,
      deviceName: null,
    })
    await expect(show(true)).rejects.toThrow(DataErased)
  })

  it('is not found under an unknown id', async () => {
    const unknown = test.countersign.confirmations.show({ confirmationId: 'conf_x' })
    await expect(unknown).rejects.toStrictEqual(new ConfirmationNotFound())
  })
})
