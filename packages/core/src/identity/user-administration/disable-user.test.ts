import { createTestCountersign, type TestCountersign } from '@countersign/storage-sqlite/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { ApprovalNotApproved } from '../../approvals/requests/errors.ts'
import { initiatePayment } from '../../testing/initiate-payment.ts'
import { type DeviceUser, signInByDevice, signInNewDeviceUser } from '../../testing/sign-in.ts'
import { validPayloads } from '../../testing/valid-payloads.ts'
import { InvalidOneTimeCode } from '../authentication/errors.ts'

const permission = 'payment.approve'
const action = { actionType: 'payment_approval', actionPayload: validPayloads.payment_approval } as const

let test: TestCountersign
let user: DeviceUser
let approver: DeviceUser
beforeEach(async () => {
  test = await createTestCountersign({ options: { approvalPolicies: { payment_approval: { permission, count: 1 } } } })
  approver = await signInNewDeviceUser(test, { permissions: [permission] })
  user = await signInNewDeviceUser(test)
})

const pause = async ({ user: { email } }: DeviceUser) => {
  await test.countersign.users.disable({ email })
  await test.countersign.users.enable({ email })
}
const approves = async ({ mobile: { caller }, device, signer }: DeviceUser) => {
  const [asked] = await test.countersign.confirmations.pending({ caller })
  if (asked === undefined) throw new Error('nothing is pending')
  const { id: confirmationId, challenge } = asked
  await test.countersign.confirmations.approve({
    caller,
    confirmationId,
    deviceId: device.id,
    signedChallenge: signer.sign(challenge),
  })
  return confirmationId
}
const redeem = (approvalId: string) => {
  const service = { name: 'billing', scopes: ['approval.redeem:payment_approval'] }
  return test.countersign.approvalRequests.redeem({ ...action, approvalId, permission, count: 1, service })
}

describe('the disabling of a user', () => {
  it('rejects pending confirmations and open approval requests, which stay rejected when the user is enabled', async () => {
    const { id } = await initiatePayment(test, { userId: user.user.id })
    const { id: approvalId } = await test.countersign.approvalRequests.start({ ...action, caller: user.web.caller })
    await approves(approver)
    await pause(user)
    expect(await test.storage.confirmations.byId(id)).toMatchObject({ status: 'rejected' })
    await expect(redeem(approvalId)).rejects.toStrictEqual(new ApprovalNotApproved())
  })

  it('voids the approvals of the user, also votes for the requests of others', async () => {
    const { id: approvalId } = await test.countersign.approvalRequests.start({ ...action, caller: user.web.caller })
    const confirmationId = await approves(approver)
    await pause(approver)
    expect(await test.storage.confirmations.byId(confirmationId)).toMatchObject({ voidedAt: test.clock.now() })
    const uncounted = [{ userId: approver.user.id, confirmationId, reason: 'voided' }] as const
    await expect(redeem(approvalId)).rejects.toStrictEqual(new ApprovalNotApproved(uncounted))
  })

  it('voids the one-time codes of the user', async () => {
    const { code } = await test.countersign.users.resetPassword({ email: user.user.email })
    await pause(user)
    const redeemed = test.countersign.password.setWithCode({ code, newPassword: 'another password, long enough' })
    await expect(redeemed).rejects.toStrictEqual(new InvalidOneTimeCode())
  })

  it('does not affect other users', async () => {
    const { id } = await initiatePayment(test, { userId: user.user.id })
    await pause(approver)
    expect(await test.storage.confirmations.byId(id)).toMatchObject({ status: 'pending' })
    await expect(signInByDevice(test, user)).resolves.toBeDefined()
  })
})
