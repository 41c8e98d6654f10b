import type { Statement } from '@countersign/contract'
import {
  createTestCountersign,
  createTestStorage,
  type TestCountersign,
  type TestCountersignOverrides,
} from '@countersign/storage-sqlite/testing'
import { describe, expect, it } from 'vitest'
import { MissingScope } from '../../identity/authentication/calling-service.ts'
import { Invalid } from '../../shared/errors.ts'
import { approve } from '../../testing/approve-payment.ts'
import { initiatePayment } from '../../testing/initiate-payment.ts'
import { type DeviceUser, signInByDevice, signInNewDeviceUser } from '../../testing/sign-in.ts'
import { ConfirmationExpired, ConfirmationUsed } from '../confirmations/errors.ts'
import { NoApprovalPolicy } from '../policies/policy-of.ts'
import { ReceiptsNotConfigured } from '../receipt-keys/errors.ts'
import { ActionMismatch } from '../use/errors.ts'
import {
  ApprovalExpired,
  ApprovalNotApproved,
  ApprovalNotFound,
  ApprovalRedeemed,
  OtherPolicy,
  TooFewApprovers,
} from './errors.ts'

const permission = 'payment.approve'
const action = { actionType: 'payment_approval', actionPayload: { amount: 10, currency: 'EUR', recipient: 'Ada' } } as const
const service = { name: 'billing', scopes: ['approval.read:payment_approval', 'approval.redeem:payment_approval'] }

const aUserWith = (test: TestCountersign, permissions: readonly string[]): Promise<DeviceUser> =>
  signInNewDeviceUser(test, { permissions })

/** A requester who has the permission too, three approvers, and a started request that needs two approvals. */
const given = async (overrides: TestCountersignOverrides = {}) => {
  const options = { approvalPolicies: { payment_approval: { permission, count: 2 } }, ...overrides.options } as const
  const test = await createTestCountersign({ ...overrides, options })
  const { countersign } = test
  const requester = await aUserWith(test, [permission])
  const approvers = [
    await aUserWith(test, [permission]),
    await aUserWith(test, ['payment.*']),
    await aUserWith(test, ['*.*']),
  ] as const
  const bystander = await aUserWith(test, ['payment.read'])
  const { id: approvalId } = await countersign.approvalRequests.start({ ...action, caller: requester.web.caller })
  const asked = async (user: DeviceUser) => {
    const [shown] = await countersign.confirmations.pending({ caller: user.mobile.caller })
    if (shown === undefined) throw new Error('nobody asked')
    return shown
  }
  const approves = async (user: DeviceUser) => {
    const shown = await asked(user)
    await approve(test, user, shown)
    return shown.id
  }
  /** Every approver approves, also those whose approval is not needed. */
  const allApprove = async () => {
    const votes = await Promise.all(approvers.map(async (user) => [user, await asked(user)] as const))
    for (const [user, shown] of votes) await approve(test, user, shown)
  }
  const redemption = { ...action, approvalId, permission, count: 2, service } as const
  const redeem = (changes: Partial<Parameters<typeof countersign.approvalRequests.redeem>[0]> = {}) =>
    countersign.approvalRequests.redeem({ ...redemption, ...changes })
  const read = () => countersign.approvalRequests.read({ approvalId, caller: requester.web.caller })
  return { test, countersign, requester, approvers, bystander, approvalId, asked, approves, allApprove, redeem, read }
}

describe('an approval request', () => {
  it("takes a limited part of an approver's list, and hides none of the approver's own confirmations", async () => {
    const { test, countersign, requester, approvers } = await given({ options: { pendingConfirmationsPerUser: 2 } })
    const [approver] = approvers
    const own = await initiatePayment(test, approver.web.caller)
    const later: string[] = []
    for (let count = 0; count < 2; count += 1) {
      test.clock.advance(1)
      later.unshift((await countersign.approvalRequests.start({ ...action, caller: requester.web.caller })).id)
    }
    const listed = await countersign.confirmations.pending({ caller: approver.mobile.caller })
    expect(listed.map(({ id, statementText }) => (JSON.parse(statementText) as Statement).approval?.id ?? id)).toStrictEqual([
      ...later,
      own.id,
    ])
    const { limits, reasons } = await countersign.explainApprover({ email: approver.user.email })
    expect(limits.pendingConfirmations).toStrictEqual({ used: 1, limit: 2 })
    expect(reasons).toStrictEqual([])
  })

  it('asks every other user who has the permission, also by a wildcard, and never the requester', async () => {
    const { test, countersign, requester, approvers, bystander, asked, approvalId } = await given()
    for (const user of [requester, bystander]) {
      expect(await countersign.confirmations.pending({ caller: user.mobile.caller })).toStrictEqual([])
    }
    for (const user of approvers) {
      const shown = await asked(user)
      expect(shown.numberMatching).toBe(false)
      expect(JSON.parse(shown.statementText)).toMatchObject({
        subject: { id: user.user.id },
        requester: { kind: 'user', id: requester.user.id },
        approval: { id: approvalId, policy: { version: 1, band: 0, digest: expect.stringMatching(/^[\w-]{43}$/) }, count: 2 },
      })
      expect(shown.display.en?.lines).toContainEqual({ label: 'Approvals needed', value: '\u20682\u2069' })
    }
    await test.background.drain()
  })

  it('gives the same service and idempotency key the same answer again, and nobody else', async () => {
    const { allApprove, redeem, test } = await given()
    await allApprove()
    const first = await redeem({ idempotencyKey: 'k' })
    test.clock.advance(2000)
    expect(await redeem({ idempotencyKey: 'k' })).toStrictEqual(first)
    await expect(redeem({ idempotencyKey: 'other' })).rejects.toThrow(ApprovalRedeemed)
    await expect(redeem({ idempotencyKey: 'k', service: { ...service, name: 'another' } })).rejects.toThrow(ApprovalRedeemed)
    await expect(redeem({ idempotencyKey: 'k', count: 1 })).rejects.toThrow(OtherPolicy)
  })

  it('is not redeemed for another action, another policy, or without the exact scope', async () => {
    const { allApprove, redeem, read } = await given()
    await allApprove()
    await expect(redeem({ actionPayload: { ...action.actionPayload, amount: 11 } })).rejects.toThrow(ActionMismatch)
    await expect(redeem({ count: 1 })).rejects.toThrow(OtherPolicy)
    await expect(redeem({ permission: 'payment.read' })).rejects.toThrow(OtherPolicy)
    await expect(redeem({ count: 0 })).rejects.toThrow(Invalid)
    for (const scopes of [[], ['*.*'], ['approval.*'], ['confirmation.redeem:payment_approval']]) {
      await expect(redeem({ service: { ...service, scopes } })).rejects.toThrow(MissingScope)
    }
    const otherType = { ...service, scopes: ['approval.redeem:user_access'] }
    await expect(redeem({ service: otherType, actionType: 'user_access' })).rejects.toThrow(ApprovalNotFound)
    expect(await read()).toMatchObject({ status: 'approved', approvals: 3 })
  })

  it('is refused, and nothing is used, if receipts are not configured', async () => {
    const { allApprove, redeem, read } = await given({ receipts: undefined })
    await allApprove()
    await expect(redeem()).rejects.toThrow(ReceiptsNotConfigured)
    expect(await read()).toMatchObject({ status: 'approved', approvals: 3 })
  })

  it('is not redeemed after the account of its requester was locked', async () => {
    const { allApprove, redeem, requester, countersign } = await given()
    await allApprove()
    await countersign.users.lock({ email: requester.user.email })
    await expect(redeem()).rejects.toThrow(ApprovalNotApproved)
  })

  it('ends when the account of its requester is locked, and stays ended when the account is unlocked', async () => {
    const { approves, approvers, asked, redeem, read, requester, countersign, test } = await given()
    const waiting = await asked(approvers[2])
    await approves(approvers[0])
    await approves(approvers[1])
    await countersign.users.lock({ email: requester.user.email })
    await countersign.users.unlock({ email: requester.user.email })
    expect(await read()).toMatchObject({ status: 'rejected' })
    await expect(redeem()).rejects.toThrow(ApprovalNotApproved)
    await expect(approve(test, approvers[2], waiting)).rejects.toThrow(ConfirmationUsed)
  })

  it('can be neither approved nor redeemed after its expiry', async () => {
    const { approves, approvers, asked, redeem, countersign, test, approvalId } = await given()
    const waiting = await asked(approvers[2])
    await approves(approvers[0])
    await approves(approvers[1])
    test.clock.advance(24 * 3_600_000)
    await expect(redeem()).rejects.toThrow(ApprovalExpired)
    const mobile = await signInByDevice(test, approvers[2])
    await expect(approve(test, { ...approvers[2], mobile }, waiting)).rejects.toThrow(ConfirmationExpired)
    const found = await countersign.approvalRequests.readForService({ approvalId, service })
    expect(found).toMatchObject({ status: 'expired', approvals: 2 })
  })

  it('is read by its requester, the users who were asked and services with the scope, and by nobody else', async () => {
    const { approvers, bystander, approvalId, countersign } = await given()
    const asOf = ({ web }: DeviceUser) => countersign.approvalRequests.read({ approvalId, caller: web.caller })
    expect(await asOf(approvers[0])).toMatchObject({ id: approvalId })
    await expect(asOf(bystander)).rejects.toThrow(ApprovalNotFound)
    const asService = (scopes: readonly string[]) =>
      countersign.approvalRequests.readForService({ approvalId, service: { ...service, scopes } })
    expect(await asService(['approval.read:payment_approval'])).toMatchObject({ id: approvalId })
    await expect(asService(['approval.read:user_access'])).rejects.toThrow(ApprovalNotFound)
    await expect(asService(['approval.redeem:payment_approval'])).rejects.toThrow(MissingScope)
  })
})

describe('starting an approval request', () => {
  it('is refused without a policy, and if too few users could approve', async () => {
    const test = await createTestCountersign()
    const { countersign } = test
    const { web } = await aUserWith(test, [permission])
    const start = () => countersign.approvalRequests.start({ ...action, caller: web.caller })
    await expect(start()).rejects.toThrow(NoApprovalPolicy)
    await countersign.actionPolicies.set({ actionType: 'payment_approval', permission, count: 1 })
    await expect(start()).rejects.toThrow(TooFewApprovers)
    await aUserWith(test, [permission])
    expect(await start()).toMatchObject({ status: 'pending', count: 1 })
    await countersign.actionPolicies.remove({ actionType: 'payment_approval' })
    await expect(start()).rejects.toThrow(NoApprovalPolicy)
  })

  it('is refused under a stored policy of zero approvals, as without a policy', async () => {
    const storage = await createTestStorage()
    const bands = [{ groups: [{ permission, count: 0 }] }] as const
    const of = async (actionType: string) => ({ actionType, tenant: null, version: 1, bands })
    const test = await createTestCountersign({ storage: { ...storage, actionPolicies: { ...storage.actionPolicies, of } } })
    const { web } = await aUserWith(test, [permission])
    await expect(test.countersign.approvalRequests.start({ ...action, caller: web.caller })).rejects.toThrow(NoApprovalPolicy)
  })

  it('follows the policy of the option if there is a stored policy too', async () => {
    const { countersign, requester } = await given()
    await countersign.actionPolicies.set({ actionType: 'payment_approval', permission, count: 1 })
    expect(await countersign.actionPolicies.show({ actionType: 'payment_approval' })).toStrictEqual({
      actionType: 'payment_approval',
      tenant: null,
      version: 1,
      bands: [{ groups: [{ permission, count: 2 }] }],
    })
    expect(await countersign.approvalRequests.start({ ...action, caller: requester.web.caller })).toMatchObject({ count: 2 })
  })

  it('is refused for the types that only the user or Countersign can ask for', async () => {
    const { countersign, requester } = await given()
    const asked = { actionType: 'password_change', actionPayload: { userId: 1 }, caller: requester.web.caller } as const
    await expect(countersign.approvalRequests.start(asked)).rejects.toThrow(Invalid)
  })
})

describe('a policy', () => {
  it.each([0, 21, -1, 1.5, Number.NaN])('is refused with a count of %s, as an option and as a stored policy', async (count) => {
    await expect(
      createTestCountersign({ options: { approvalPolicies: { payment_approval: { permission, count } } } }),
    ).rejects.toThrow(RangeError)
    const { countersign } = await createTestCountersign()
    await expect(countersign.actionPolicies.set({ actionType: 'payment_approval', permission, count })).rejects.toThrow(Invalid)
  })

  it.each(['*.*', 'payment.*', 'payment', ''])('is refused with the permission %j', async (refused) => {
    const { countersign } = await createTestCountersign()
    const policy = { actionType: 'payment_approval', permission: refused as 'a.b', count: 2 }
    await expect(countersign.actionPolicies.set(policy)).rejects.toThrow(Invalid)
  })
})

it('a policy that the host sets or removes is a line in the log', async () => {
  const { countersign, logger } = await createTestCountersign()
  const policy = { actionType: 'payment_approval', permission, count: 2 } as const
  await countersign.actionPolicies.set(policy)
  await countersign.actionPolicies.remove({ actionType: 'payment_approval' })
  await expect(countersign.actionPolicies.remove({ actionType: 'payment_approval' })).rejects.toThrow('No policy')
  expect(logger.entries).toEqual([
    {
      level: 'info',
      event: 'action_policy_set',
      fields: {
        actionType: 'payment_approval',
        tenant: null,
        version: 1,
        groups: '[[{"permission":"payment.approve","count":2}]]',
      },
    },
    { level: 'info', event: 'action_policy_removed', fields: { actionType: 'payment_approval', tenant: null } },
  ])
})
