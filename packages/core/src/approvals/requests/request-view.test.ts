import { createTestCountersign, type TestCountersign } from '@countersign/storage-sqlite/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Notice } from '../../identity/push/notify-of-change.ts'
import { approvePending } from '../../testing/approve-payment.ts'
import { type DeviceUser, signInNewDeviceUser } from '../../testing/sign-in.ts'

const permission = 'payment.approve'
const action = { actionType: 'payment_approval', actionPayload: { amount: 10, currency: 'EUR', recipient: 'Ada' } } as const
const service = { name: 'billing', scopes: ['approval.read:payment_approval', 'approval.redeem:payment_approval'] }
const label = { en: 'Finance', de: 'Buchhaltung' }

let test: TestCountersign
let notices: Notice[]
let requester: DeviceUser
let approvers: readonly [DeviceUser, DeviceUser, DeviceUser]
let approvalId: string

const aUser = (permissions: readonly string[]): Promise<DeviceUser> => signInNewDeviceUser(test, { permissions })

beforeEach(async () => {
  notices = []
  test = await createTestCountersign({
    options: { approvalPolicies: { payment_approval: { permission, count: 2, label } } },
    onNotice: (notice) => void notices.push(notice),
  })
  requester = await aUser([])
  approvers = [await aUser([permission]), await aUser([permission]), await aUser([permission])]
  approvalId = (await test.countersign.approvalRequests.start({ ...action, caller: requester.web.caller })).id
})

const read = ({ web }: DeviceUser = requester) => test.countersign.approvalRequests.read({ caller: web.caller, approvalId })
const pendingOf = ({ mobile }: DeviceUser) => test.countersign.confirmations.pending({ caller: mobile.caller })
const voteOf = async (user: DeviceUser) => (await pendingOf(user))[0]?.id ?? ''
const reject = (user: DeviceUser, confirmationId: string, more: object = {}, caller = user.mobile.caller) =>
  test.countersign.confirmations.reject({ caller, confirmationId, ...more })
const twoApprove = async () => {
  for (const one of approvers.slice(0, 2)) {
    await approvePending(test, one)
    test.clock.advance(1000)
  }
}
const named = ({ user }: DeviceUser) => ({ id: user.id, name: user.email })

describe('what the parties of a request read', () => {
  it('has the signed words, who asked, who approved and when, and what is missing by the label of the group', async () => {
    const [{ display } = { display: {} }] = await pendingOf(approvers[1])
    test.clock.advance(1000)
    const at = test.clock.now()
    await approvePending(test, approvers[0])
    for (const party of [requester, ...approvers]) {
      expect(await read(party)).toMatchObject({
        status: 'pending',
        groups: [{ permission, count: 2, approvals: 1, label }],
        votes: [{ ...named(approvers[0]), at, counts: true }],
        requestedBy: named(requester),
        display,
      })
    }
  })

  it('says of each approval whether it counts, and has no name after the approver was deleted', async () => {
    await twoApprove()
    await test.countersign.users.revoke({ email: approvers[0].user.email, permissions: [permission] })
    await test.countersign.users.delete({ email: approvers[1].user.email })
    expect((await read()).votes).toMatchObject([
      { ...named(approvers[0]), counts: false },
      { id: approvers[1].user.id, name: null, counts: false },
    ])
  })

  it('says after the use which approvals were used', async () => {
    const [one, two, spare] = approvers
    const late = await pendingOf(spare)
    await twoApprove()
    await test.countersign.confirmations.approve({
      caller: spare.mobile.caller,
      confirmationId: late[0]?.id ?? '',
      deviceId: spare.device.id,
      signedChallenge: spare.signer.sign(late[0]?.challenge ?? ''),
    })
    await test.countersign.approvalRequests.redeem({ ...action, service, approvalId, permission, count: 2 })
    const { status, votes } = await read()
    expect([status, ...votes.map(({ id, counts }) => [id, counts])]).toStrictEqual([
      'redeemed',
      [one.user.id, true],
      [two.user.id, true],
      [spare.user.id, false],
    ])
  })

  it('says who rejected the request, when and why, and that nobody did if the vote of a session without trust ended alone', async () => {
    await reject(approvers[0], await voteOf(approvers[0]), { reason: 'not me' }, approvers[0].web.caller)
    expect(await read()).toMatchObject({ status: 'pending', stoppedBy: null, reason: null })
    test.clock.advance(1000)
    await reject(approvers[1], await voteOf(approvers[1]), { reason: 'Wrong amount' })
    const stoppedBy = { ...named(approvers[1]), at: test.clock.now() }
    for (const party of [requester, ...approvers]) {
      expect(await read(party)).toMatchObject({ status: 'rejected', stoppedBy, reason: 'Wrong amount', votes: [] })
    }
  })
})

describe('a request that has all its approvals', () => {
  it('waits for nobody, and waits again when an approval no longer counts', async () => {
    await twoApprove()
    expect(await read()).toMatchObject({ status: 'approved' })
    expect(await pendingOf(approvers[2])).toStrictEqual([])
    await test.countersign.users.revoke({ email: approvers[0].user.email, permissions: [permission] })
    expect(await pendingOf(approvers[2])).toHaveLength(1)
  })
})

describe('a vote that an approver did not expect', () => {
  it('ends the request as any rejection does and no session, keeps the reason, and the host gets a notice', async () => {
    const confirmationId = await voteOf(approvers[0])
    const reason = 'Nobody told me of this'
    expect(await reject(approvers[0], confirmationId, { notMe: true, reason })).toStrictEqual({ sessionEnded: false })
    expect(await read()).toMatchObject({ status: 'rejected', stoppedBy: named(approvers[0]), reason })
    await test.background.drain()
    expect(notices.filter(({ change }) => change === 'vote_unexpected')).toMatchObject([
      { userId: requester.user.id, email: requester.user.email, approvalId },
    ])
    expect(await test.storage.sessions.status(requester.web.caller.sessionId)).toBeDefined()
  })

  it('is not reported for an ordinary rejection', async () => {
    await reject(approvers[0], await voteOf(approvers[0]))
    await test.background.drain()
    expect(notices.map(({ change }) => change)).not.toContain('vote_unexpected')
  })
})
