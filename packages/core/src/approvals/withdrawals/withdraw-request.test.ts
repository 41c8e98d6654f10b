import { createTestCountersign, type TestCountersign } from '@countersign/storage-sqlite/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { MissingScope } from '../../identity/authentication/calling-service.ts'
import { InvalidAccessToken } from '../../identity/authentication/errors.ts'
import { Forbidden } from '../../shared/errors.ts'
import { approve, approvePending } from '../../testing/approve-payment.ts'
import { type DeviceUser, signIn, signInNewDeviceUser } from '../../testing/sign-in.ts'
import { ConfirmationExpired } from '../confirmations/errors.ts'
import { ApprovalDecided, ApprovalExpired, ApprovalNotFound } from '../requests/errors.ts'

const permission = 'payment.approve'
const action = { actionType: 'payment_approval', actionPayload: { amount: 10, currency: 'EUR', recipient: 'Ada' } } as const
const service = { name: 'billing', scopes: ['approval.read:payment_approval', 'approval.redeem:payment_approval'] }

let test: TestCountersign
let requester: DeviceUser
let approvers: readonly [DeviceUser, DeviceUser, DeviceUser]
let approvalId: string

const aUser = (permissions: readonly string[]): Promise<DeviceUser> => signInNewDeviceUser(test, { permissions })

const start = async () => (await test.countersign.approvalRequests.start({ ...action, caller: requester.web.caller })).id

beforeEach(async () => {
  const approvalPolicies = { payment_approval: { permission, count: 2 } } as const
  test = await createTestCountersign({ options: { approvalPolicies, openApprovalRequestsPerUser: 1 } })
  requester = await aUser([])
  approvers = [await aUser([permission]), await aUser([permission]), await aUser([permission])]
  approvalId = await start()
})

const pendingOf = ({ mobile }: DeviceUser) => test.countersign.confirmations.pending({ caller: mobile.caller })
const approves = (user: DeviceUser) => approvePending(test, user)
const withdraw = (caller = requester.web.caller, id = approvalId) =>
  test.countersign.approvalRequests.withdraw({ caller, approvalId: id })
const withdrawAs = (scopes: readonly string[], within?: readonly string[]) =>
  test.countersign.approvalRequests.withdrawForService({
    service: { name: 'billing', scopes, ...(within !== undefined && { within }) },
    approvalId,
  })
const read = () => test.countersign.approvalRequests.read({ caller: requester.web.caller, approvalId })
const redeem = () => test.countersign.approvalRequests.redeem({ ...action, service, approvalId, permission, count: 2 })

describe('withdrawing an approval request', () => {
  it('removes it from every phone, and nobody can approve, redeem or withdraw it afterwards', async () => {
    await approves(approvers[0])
    const [shown] = await pendingOf(approvers[1])
    const withdrawnAt = test.clock.now()
    const withdrawn = { id: approvalId, status: 'expired', approvals: 1, count: 2, withdrawnAt }
    expect(await withdraw()).toMatchObject(withdrawn)
    for (const approver of approvers) expect(await pendingOf(approver)).toStrictEqual([])
    const late = approve(test, approvers[1], { id: shown?.id ?? '', challenge: shown?.challenge ?? '' })
    await expect(late).rejects.toStrictEqual(new ConfirmationExpired())
    expect(await read()).toMatchObject(withdrawn)
    await expect(redeem()).rejects.toStrictEqual(new ApprovalExpired())
    await expect(withdraw()).rejects.toStrictEqual(new ApprovalExpired())
  })

  it('is refused in a session that has ended, and the request of another session of the user stays', async () => {
    const { caller } = await signIn(test, requester.user)
    await test.countersign.sessions.revoke({ id: caller.sessionId })
    await expect(withdraw(caller)).rejects.toStrictEqual(new InvalidAccessToken())
    expect(await read()).toMatchObject({ status: 'pending' })
  })

  it('frees a place for another request of the user', async () => {
    await withdraw()
    expect(await start()).toMatch(/^appr_/)
  })

  it('is refused after all approvals were given, and after a rejection, a redemption or the expiry', async () => {
    await approves(approvers[0])
    await approves(approvers[1])
    await expect(withdraw()).rejects.toStrictEqual(new ApprovalDecided())
    await redeem()
    await expect(withdraw()).rejects.toStrictEqual(new ApprovalDecided())
    approvalId = await start()
    const [shown] = await pendingOf(approvers[0])
    await test.countersign.confirmations.reject({ caller: approvers[0].mobile.caller, confirmationId: shown?.id ?? '' })
    await expect(withdraw()).rejects.toStrictEqual(new ApprovalDecided())
    approvalId = await start()
    test.clock.set((await read()).expiresAt)
    await expect(withdrawAs(service.scopes)).rejects.toStrictEqual(new ApprovalExpired())
  })

  it('is possible for the requester only', async () => {
    await expect(withdraw(approvers[0].web.caller)).rejects.toStrictEqual(new Forbidden())
    const stranger = await aUser([permission])
    await expect(withdraw(stranger.web.caller)).rejects.toStrictEqual(new ApprovalNotFound())
    await expect(withdraw(requester.web.caller, 'appr_x')).rejects.toStrictEqual(new ApprovalNotFound())
    expect(await read()).toMatchObject({ status: 'pending', withdrawnAt: null })
  })

  it('is possible for the service that would redeem the request, and for no other', async () => {
    await expect(withdrawAs(['approval.read:*'])).rejects.toThrow(MissingScope)
    await expect(withdrawAs(['approval.redeem:user_access'])).rejects.toStrictEqual(new ApprovalNotFound())
    await expect(withdrawAs(service.scopes, ['acme'])).rejects.toStrictEqual(new ApprovalNotFound())
    expect(await withdrawAs(service.scopes)).toMatchObject({ status: 'expired' })
    expect(await read()).toMatchObject({ status: 'expired', withdrawnAt: test.clock.now() })
  })
})

describe('the notifications of a request that waits no longer', () => {
  it.each([
    ['withdrawn', [0, 1, 2]],
    ['rejected by one approver', [1, 2]],
    ['redeemed with the approvals of two', [2]],
    ['ended by the lock of its requester', [0, 1, 2]],
    ['ended by the deletion of its requester', [0, 1, 2]],
  ] as const)('are replaced on the phones of the approvers if the request was %s', async (how, told) => {
    await withdraw()
    await test.background.drain()
    for (const [at, { web, device }] of approvers.entries())
      await test.countersign.devices.setPushToken({ caller: web.caller, deviceId: device.id, pushToken: `phone-${at}` })
    approvalId = await start()
    for (const approver of approvers) await pendingOf(approver)
    await test.background.drain()
    const [shown] = await pendingOf(approvers[0])
    const { email } = requester.user
    if (how === 'withdrawn') await withdraw()
    else if (how === 'ended by the lock of its requester') await test.countersign.users.lock({ email })
    else if (how === 'ended by the deletion of its requester') await test.countersign.users.delete({ email })
    else if (how === 'redeemed with the approvals of two') {
      for (const approver of approvers.slice(0, 2)) await approves(approver)
      await redeem()
    } else await test.countersign.confirmations.reject({ caller: approvers[0].mobile.caller, confirmationId: shown?.id ?? '' })
    await test.background.drain()
    const settled = test.push.sent.filter(({ type }) => type === 'confirmation.settled')
    expect(settled.map(({ pushToken }) => pushToken).sort()).toEqual(told.map((at) => `phone-${at}`))
  })
})
