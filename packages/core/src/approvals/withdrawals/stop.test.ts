import { createTestCountersign, type TestCountersign } from '@countersign/storage-sqlite/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { InvalidAccessToken } from '../../identity/authentication/errors.ts'
import type { Notice } from '../../identity/push/notify-of-change.ts'
import { approvePending } from '../../testing/approve-payment.ts'
import { signInByPasskey, signInNewPasskeyUser } from '../../testing/passkeys.ts'
import { type DeviceUser, signInNewDeviceUser } from '../../testing/sign-in.ts'
import type { ConfirmationStep } from '../observer.ts'
import { ApprovalDecided, ApprovalExpired, ApprovalNotApproved, ApprovalNotFound, ApprovalUsed } from '../requests/errors.ts'

const permission = 'payment.approve'
const action = { actionType: 'payment_approval', actionPayload: { amount: 10, currency: 'EUR', recipient: 'Ada' } } as const
const service = { name: 'billing', scopes: ['approval.read:payment_approval', 'approval.redeem:payment_approval'] }
const reason = 'The invoice is forged'

let test: TestCountersign
let notices: Notice[]
let steps: ConfirmationStep[]
let requester: DeviceUser
let approvers: readonly [DeviceUser, DeviceUser, DeviceUser]
let approvalId: string

const aUser = (permissions: readonly string[]): Promise<DeviceUser> => signInNewDeviceUser(test, { permissions })

beforeEach(async () => {
  notices = []
  steps = []
  test = await createTestCountersign({
    options: { approvalPolicies: { payment_approval: { permission, count: 2 } } },
    onNotice: (notice) => void notices.push(notice),
    observer: { confirmation: (step) => void steps.push(step) },
  })
  requester = await aUser([])
  approvers = [await aUser([permission]), await aUser([permission]), await aUser([permission])]
  approvalId = (await test.countersign.approvalRequests.start({ ...action, caller: requester.web.caller })).id
})

const stop = (caller = approvers[0].mobile.caller, id = approvalId) =>
  test.countersign.approvalRequests.stop({ caller, approvalId: id, reason })
const read = ({ web }: DeviceUser = requester) => test.countersign.approvalRequests.read({ caller: web.caller, approvalId })
const redeem = () => test.countersign.approvalRequests.redeem({ ...action, service, approvalId, permission, count: 2 })
const pendingOf = ({ mobile }: DeviceUser) => test.countersign.confirmations.pending({ caller: mobile.caller })

describe('stopping an approval request', () => {
  it.each([0, 1, 2])(
    'ends it with %i approvals given: nobody is asked or uses it, and all parties read who and why',
    async (given) => {
      for (const approver of approvers.slice(0, given)) await approvePending(test, approver)
      const stoppedBy = { id: approvers[0].user.id, name: approvers[0].user.email }
      const stopped = { id: approvalId, status: 'rejected', approvals: given, stoppedBy, reason }
      expect(await stop()).toMatchObject(stopped)
      for (const party of [requester, ...approvers]) expect(await read(party)).toMatchObject(stopped)
      for (const approver of approvers) expect(await pendingOf(approver)).toStrictEqual([])
      await expect(redeem()).rejects.toStrictEqual(new ApprovalNotApproved())
      await expect(stop(approvers[1].mobile.caller)).rejects.toStrictEqual(new ApprovalDecided())
      expect(steps.at(-1)).toStrictEqual({ actionType: 'payment_approval', outcome: 'stopped' })
    },
  )

  it('is possible from a session of a trusted passkey with user verification, and from no other session of the passkey', async () => {
    const options = { approvalPolicies: { payment_approval: { permission, count: 1 } }, passkeyApprovals: true } as const
    test = await createTestCountersign({ options })
    requester = await aUser([])
    const passkeyUser = await signInNewPasskeyUser(test)
    await test.countersign.users.grant({ email: passkeyUser.user.email, permissions: [permission] })
    approvalId = (await test.countersign.approvalRequests.start({ ...action, caller: requester.web.caller })).id
    const { caller: unverified } = await signInByPasskey(test, passkeyUser.virtual, {
      changes: { flags: { userVerified: false } },
    })
    await expect(stop(unverified)).rejects.toStrictEqual(new ApprovalNotFound())
    const { caller } = await signInByPasskey(test, passkeyUser.virtual)
    expect(await stop(caller)).toMatchObject({ status: 'rejected', stoppedBy: { id: passkeyUser.user.id }, reason })
  })

  it('notifies the host, with the asker and the request', async () => {
    await stop()
    await test.background.drain()
    expect(notices.filter(({ change }) => change === 'request_stopped')).toMatchObject([
      { userId: requester.user.id, email: requester.user.email, approvalId },
    ])
  })

  it('is refused after the use, and after the expiry', async () => {
    for (const approver of approvers.slice(0, 2)) await approvePending(test, approver)
    await redeem()
    await expect(stop()).rejects.toStrictEqual(new ApprovalUsed())
    await expect(stop(approvers[2].mobile.caller)).rejects.toStrictEqual(new ApprovalUsed())
    expect(await read()).toMatchObject({ status: 'redeemed', stoppedBy: null, reason: null })
    approvalId = (await test.countersign.approvalRequests.start({ ...action, caller: requester.web.caller })).id
    test.clock.set((await read()).expiresAt)
    await expect(stop()).rejects.toStrictEqual(new ApprovalExpired())
  })

  it('is refused as if there were none for the asker, a stranger, a session without a trusted device and a lost permission', async () => {
    const unknown = new ApprovalNotFound()
    const stranger = await aUser([permission])
    const { email } = approvers[1].user
    await test.countersign.users.revoke({ email, permissions: [permission] })
    const removed = approvers[2]
    await test.countersign.devices.remove({ caller: removed.web.caller, deviceId: removed.device.id })
    for (const caller of [requester.mobile, stranger.mobile, approvers[0].web, approvers[1].mobile])
      await expect(stop(caller.caller)).rejects.toStrictEqual(unknown)
    await expect(stop(removed.mobile.caller)).rejects.toStrictEqual(new InvalidAccessToken())
    await expect(stop(approvers[0].mobile.caller, 'appr_x')).rejects.toStrictEqual(unknown)
    expect(await read()).toMatchObject({ status: 'pending', stoppedBy: null, reason: null })
  })

  it('stays, and loses the reason, when the user who stopped it is deleted', async () => {
    await stop()
    await test.countersign.users.delete({ email: approvers[0].user.email })
    expect(await read()).toMatchObject({ status: 'rejected', reason: null })
  })
})
