import type { KeyRing } from '@countersign/core'
import type { MigratedStorage } from '@countersign/core/storage'
import {
  aKeyRing,
  anAnnouncement,
  createTestDevice,
  registerTestDevice,
  signInByDevice,
  signInByPasskey,
  signInNewDeviceUser,
  signInNewPasskeyUser,
  signInNewUser,
  testPassword,
  validPayloads,
} from '@countersign/core/testing'
import { createTestCountersign, type TestCountersign } from '@countersign/storage-sqlite/testing'
import { expect } from 'vitest'

const jwtKeys = aKeyRing()
const permission = 'payment.approve'
const service = { name: 'billing', scopes: ['approval.redeem:payment_approval'] }
const options = { approvalPolicies: { payment_approval: { permission, count: 1 } } } as const
const payment = { actionType: 'payment_approval', actionPayload: validPayloads.payment_approval } as const
const reason = 'the amount is wrong'
const pushToken = 'token of a phone'
const passkeyToken = 'token of a browser with a passkey'
const userAgent = 'Browser of Ada'

const hostOn = (storage: MigratedStorage, encryptionKeys: KeyRing, beside?: TestCountersign): Promise<TestCountersign> =>
  createTestCountersign({
    storage,
    jwtKeys,
    encryptionKeys,
    options,
    ...(beside !== undefined && { clock: beside.clock }),
  })

/**
 * Stores a field in every encrypted column through the use cases. Returns a function that reads every field again through the use
 * cases of a host with other keys, and that fails if one cannot be decrypted.
 */
export const storeEveryField = async (storage: MigratedStorage, encryptionKeys: KeyRing) => {
  const host = await hostOn(storage, encryptionKeys)
  const { countersign } = host
  const user = await signInNewDeviceUser(host, { pushToken })
  const { web, mobile, device, signer } = user
  await countersign.auth.login({ email: user.user.email, password: testPassword, userAgent })

  const pending = await countersign.confirmations.initiate({ ...payment, caller: web.caller, numberMatching: true, userAgent })
  const approved = await countersign.confirmations.initiate({ ...payment, caller: web.caller })
  await countersign.confirmations.approve({
    caller: mobile.caller,
    confirmationId: approved.id,
    deviceId: device.id,
    signedChallenge: signer.sign(approved.challenge),
  })
  const consumption = { ...payment, confirmationId: approved.id, userId: user.user.id, consumedBy: 'payment 1' }
  const { receipt } = await countersign.confirmations.consume(consumption)
  const rejected = await countersign.confirmations.initiate({ ...payment, caller: web.caller })
  await countersign.confirmations.reject({ caller: web.caller, confirmationId: rejected.id, reason })

  const approver = await signInNewUser(host, { permissions: [permission] })
  const approverDevice = await registerTestDevice(host, approver.caller)
  const { id: approvalId } = await countersign.approvalRequests.start({ ...payment, caller: web.caller })

  const { user: holder, virtual } = await signInNewPasskeyUser(host)
  const { caller: ofPasskey } = await signInByPasskey(host, virtual)
  await countersign.devices.setPushToken({ caller: ofPasskey, pushToken: passkeyToken })

  const nextDevice = createTestDevice('ES256')
  const begun = await countersign.devices.beginRegistration({ caller: web.caller, ...anAnnouncement(nextDevice) })

  return async (keys: KeyRing): Promise<void> => {
    const later = await hostOn(storage, keys, host)
    const { confirmations, sessions, receipts, approvalRequests, devices } = later.countersign
    expect(await confirmations.consume(consumption)).toMatchObject({ receipt })
    const exported = await receipts.export({ confirmationId: approved.id })
    expect(JSON.stringify(exported)).toMatch(/~/)
    expect((await sessions.list({ email: user.user.email })).map((session) => session.userAgent)).toContain(userAgent)
    const listed = await confirmations.pending({ caller: mobile.caller })
    expect(listed).toContainEqual(
      expect.objectContaining({ id: pending.id, actionPayloadText: JSON.stringify(payment.actionPayload) }),
    )
    expect(await confirmations.status({ caller: web.caller, confirmationId: rejected.id })).toMatchObject({ reason })
    const { caller: approving } = await signInByDevice(later, approverDevice)
    const [asked] = await confirmations.pending({ caller: approving })
    await confirmations.approve({
      caller: approving,
      confirmationId: asked?.id ?? '',
      deviceId: approverDevice.device.id,
      signedChallenge: approverDevice.signer.sign(asked?.challenge ?? ''),
    })
    const redeemed = await approvalRequests.redeem({ ...payment, approvalId, permission, count: 1, service })
    expect(redeemed.receipts).toHaveLength(1)

    await confirmations.approve({
      caller: mobile.caller,
      confirmationId: pending.id,
      deviceId: device.id,
      signedChallenge: signer.sign(pending.challenge),
      matchNumber: pending.matchNumber ?? '',
    })
    for (const caller of [web.caller, { userId: holder.id }]) await confirmations.initiate({ ...payment, caller })
    await later.background.drain()
    expect(later.push.sent.map((message) => message.pushToken)).toEqual(expect.arrayContaining([pushToken, passkeyToken]))
    await devices.finishRegistration({
      caller: web.caller,
      sessionId: begun.id,
      signedChallenge: nextDevice.sign(begun.challenge),
    })
  }
}
