import type { Statement } from '@countersign/contract'
import { createTestCountersign, type TestCountersign } from '@countersign/storage-sqlite/testing'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { days } from '../../shared/clock.ts'
import { approvePending } from '../../testing/approve-payment.ts'
import { createTestUser, type DeviceUser, signInNewDeviceUser } from '../../testing/sign-in.ts'
import { TooFewApprovers } from './errors.ts'

const permission = 'payment.approve'
const action = { actionType: 'payment_approval', actionPayload: { amount: 10, currency: 'EUR', recipient: 'Ada' } } as const
const service = { name: 'billing', scopes: ['approval.read:payment_approval', 'approval.redeem:payment_approval'] }

let test: TestCountersign
let requester: DeviceUser
let ada: DeviceUser
let bob: DeviceUser
let delegate: DeviceUser

const aUser = (permissions: readonly string[] = []): Promise<DeviceUser> => signInNewDeviceUser(test, { permissions })

beforeEach(async () => {
  const approvalPolicies = { payment_approval: { permission, count: 2 } } as const
  test = await createTestCountersign({ options: { approvalPolicies } })
  requester = await aUser()
  ada = await aUser([permission])
  bob = await aUser(['payment.*'])
  delegate = await aUser()
})

const lend = (from: DeviceUser, to: DeviceUser, until = test.clock.now() + days(1)) =>
  test.countersign.users.delegate({ from: from.user.email, to: to.user.email, permission, until })
const start = async (by = requester) => (await test.countersign.approvalRequests.start({ ...action, caller: by.web.caller })).id
const pendingOf = ({ mobile }: DeviceUser) => test.countersign.confirmations.pending({ caller: mobile.caller })
const votes = (user: DeviceUser) => approvePending(test, user)
const read = (approvalId: string) => test.countersign.approvalRequests.readForService({ service, approvalId })
const redeem = (approvalId: string) =>
  test.countersign.approvalRequests.redeem({ ...action, service, approvalId, permission, count: 2 })

describe('the vote of a delegate', () => {
  it('counts for the delegated permission, and the signed statement and the words name both people', async () => {
    await lend(ada, delegate)
    const id = await start()
    const [shown] = await pendingOf(delegate)
    const { subject, approval } = JSON.parse(shown?.statementText ?? '{}') as Statement
    expect(subject.id).toBe(delegate.user.id)
    expect(approval?.delegatedBy).toStrictEqual({ id: ada.user.id, externalId: null, name: ada.user.email })
    expect(shown?.display.en?.lines.at(-1)).toStrictEqual({ label: 'You vote for', value: `\u2068${ada.user.email}\u2069` })
    await votes(delegate)
    await votes(bob)
    expect(await read(id)).toMatchObject({ status: 'approved', approvals: 2 })
    const { receipts } = await redeem(id)
    expect(receipts).toHaveLength(2)
  })

  it('does not count in addition: of a user and the delegates of the user, only the first vote counts', async () => {
    const other = await aUser()
    await lend(ada, delegate)
    await lend(ada, other)
    const id = await start()
    await votes(delegate)
    test.clock.advance(1)
    await votes(ada)
    await votes(other)
    expect(await read(id)).toMatchObject({ status: 'pending', approvals: 1 })
    const leftOut = [ada, other].map(({ user }) => expect.objectContaining({ userId: user.id, reason: 'same_person' }))
    const refusal = { code: 'approval_not_approved', uncounted: expect.arrayContaining(leftOut) }
    await expect(redeem(id)).rejects.toMatchObject(refusal)
    await votes(bob)
    await redeem(id)
  })

  it('is not asked for while the delegate has no device', async () => {
    const later = await createTestUser(test)
    const until = test.clock.now() + days(1)
    await test.countersign.users.delegate({ from: ada.user.email, to: later.email, permission, until })
    const asked = (await test.storage.approvalRequests.confirmationsOf(await start())).map(({ userId }) => userId)
    expect(asked).toStrictEqual([ada.user.id, bob.user.id])
  })

  it('is not used if the delegation ends in the moment before', async () => {
    await lend(ada, delegate)
    const id = await start()
    await votes(delegate)
    await votes(bob)
    const { transaction } = test.storage
    vi.spyOn(test.storage, 'transaction').mockImplementationOnce(async (use) => {
      await test.countersign.users.endDelegation({ from: ada.user.email, to: delegate.user.email, permission })
      return transaction(use)
    })
    await expect(redeem(id)).rejects.toMatchObject({ code: 'approval_not_approved' })
    expect(await read(id)).toMatchObject({ status: 'pending', approvals: 1 })
  })

  it('does not help a request that has too few people', async () => {
    await test.countersign.users.disable({ email: bob.user.email })
    await lend(ada, delegate)
    await expect(start()).rejects.toStrictEqual(new TooFewApprovers())
  })

  it('makes a request possible if the holder of the permission has no device', async () => {
    await test.countersign.devices.revoke({ id: ada.device.id })
    await expect(start()).rejects.toStrictEqual(new TooFewApprovers())
    await lend(ada, delegate)
    const id = await start()
    await votes(delegate)
    await votes(bob)
    await redeem(id)
  })

  it('never counts for the requester who delegated, and the requester is never asked as a delegate', async () => {
    const third = await aUser([permission])
    const asking = await aUser([permission])
    await lend(asking, delegate)
    await start(asking)
    expect(await pendingOf(delegate)).toStrictEqual([])
    for (const user of [ada, bob, third]) expect(await pendingOf(user)).toHaveLength(1)
    await lend(ada, requester)
    const own = await start(requester)
    const asked = (await pendingOf(requester)).map(({ statementText }) => (JSON.parse(statementText) as Statement).approval?.id)
    expect(asked).not.toContain(own)
    expect(asked).toHaveLength(1)
  })

  type Loss = readonly [string, () => Promise<unknown>, (() => Promise<unknown>) | undefined]
  const losses: readonly Loss[] = [
    ['it ends', async () => test.clock.advance(days(1)), undefined],
    [
      'an administrator ends it',
      () => test.countersign.users.endDelegation({ from: ada.user.email, to: delegate.user.email, permission }),
      undefined,
    ],
    [
      'its giver loses the permission',
      () => test.countersign.users.revoke({ email: ada.user.email, permissions: [permission] }),
      undefined,
    ],
    [
      'its giver is locked',
      () => test.countersign.users.lock({ email: ada.user.email }),
      () => test.countersign.users.unlock({ email: ada.user.email }),
    ],
    [
      'its giver is disabled',
      () => test.countersign.users.disable({ email: ada.user.email }),
      () => test.countersign.users.enable({ email: ada.user.email }),
    ],
  ]
  it.each(losses)('does not count while %s', async (_, lose, mend) => {
    await lend(ada, delegate, test.clock.now() + days(1))
    test.clock.advance(days(1) - 1000)
    const id = await start()
    await votes(delegate)
    await votes(bob)
    expect(await read(id)).toMatchObject({ status: 'approved', approvals: 2 })
    await lose()
    const unlost = { status: 'approved', approvals: 2 }
    if (test.clock.now() < (await read(id)).expiresAt) {
      expect(await read(id)).toMatchObject({ status: 'pending', approvals: 1 })
      const uncounted = [{ userId: delegate.user.id, reason: 'delegation_ended' }]
      await expect(redeem(id)).rejects.toMatchObject({ code: 'approval_not_approved', uncounted })
    }
    if (mend === undefined) return
    await mend()
    expect(await read(id)).toMatchObject(unlost)
    await redeem(id)
  })

  it('never counts if the requester appointed the delegate, for any permission', async () => {
    const head = await aUser([permission])
    const carol = await aUser([permission])
    await test.countersign.users.grant({ email: head.user.email, permissions: ['invoice.pay'] })
    const appoint = (to: DeviceUser) =>
      test.countersign.users.delegate({
        from: head.user.email,
        to: to.user.email,
        permission: 'invoice.pay',
        until: test.clock.now() + days(1),
      })
    await lend(ada, delegate)
    await appoint(delegate)
    await appoint(carol)
    await start(head)
    for (const appointed of [delegate, carol]) expect(await pendingOf(appointed)).toStrictEqual([])
    await test.countersign.users.disable({ email: bob.user.email })
    await expect(start(head)).rejects.toStrictEqual(new TooFewApprovers())
  })

  it('no longer counts if the requester appoints the delegator, whose own vote does not count either', async () => {
    const head = await aUser([permission])
    await lend(ada, delegate)
    const id = await start(head)
    await votes(delegate)
    await votes(bob)
    expect(await read(id)).toMatchObject({ status: 'approved' })
    await test.countersign.users.grant({ email: head.user.email, permissions: ['invoice.pay'] })
    const until = test.clock.now() + days(1)
    await test.countersign.users.delegate({ from: head.user.email, to: ada.user.email, permission: 'invoice.pay', until })
    expect(await read(id)).toMatchObject({ status: 'pending', approvals: 1 })
    const uncounted = [{ userId: delegate.user.id, reason: 'delegation_ended' }]
    await expect(redeem(id)).rejects.toMatchObject({ code: 'approval_not_approved', uncounted })
  })

  it('counts for the tenant of the delegation only', async () => {
    const inTenant = `${permission}@acme`
    const { countersign } = test
    await countersign.users.grant({ email: requester.user.email, permissions: ['project.read@acme', 'project.read@beta'] })
    await countersign.users.delegate({
      from: ada.user.email,
      to: delegate.user.email,
      permission: inTenant,
      until: test.clock.now() + days(1),
    })
    await countersign.approvalRequests.start({ ...action, tenant: 'beta', caller: requester.web.caller })
    await start()
    expect(await pendingOf(delegate)).toStrictEqual([])
    await countersign.approvalRequests.start({ ...action, tenant: 'acme', caller: requester.web.caller })
    expect(await pendingOf(delegate)).toHaveLength(1)
  })

  it('is requested later, when the delegate reads what is pending', async () => {
    const id = await start()
    expect(await pendingOf(delegate)).toStrictEqual([])
    await lend(ada, delegate)
    const [shown] = await pendingOf(delegate)
    expect((JSON.parse(shown?.statementText ?? '{}') as Statement).approval).toMatchObject({
      id,
      delegatedBy: { id: ada.user.id },
    })
    await votes(delegate)
    await votes(bob)
    await redeem(id)
  })

  it('does not count for another delegator than its signed statement names', async () => {
    await lend(ada, delegate)
    const id = await start()
    await votes(delegate)
    await votes(bob)
    await test.countersign.users.grant({ email: delegate.user.email, permissions: [permission] })
    const { storage, clock, jwtKeys, encryptionKeys } = test
    // Somebody who can only write to the database makes it a vote by the own permission.
    const confirmationsOf = async (one: string) =>
      (await storage.approvalRequests.confirmationsOf(one)).map((vote) => ({ ...vote, delegatedBy: null }))
    const changed = { ...storage, approvalRequests: { ...storage.approvalRequests, confirmationsOf } }
    const options = { approvalPolicies: { payment_approval: { permission, count: 2 } } } as const
    const other = await createTestCountersign({ storage: changed, clock, jwtKeys, encryptionKeys, options })
    const redemption = { ...action, service, approvalId: id, permission, count: 2 } as const
    const refusal = { code: 'approval_not_approved', uncounted: [{ reason: 'signed_otherwise' }] }
    await expect(other.countersign.approvalRequests.redeem(redemption)).rejects.toMatchObject(refusal)
    await redeem(id)
  })

  it('can reject the whole request', async () => {
    await lend(ada, delegate)
    const id = await start()
    const [shown] = await pendingOf(delegate)
    await test.countersign.confirmations.reject({ caller: delegate.mobile.caller, confirmationId: shown?.id ?? '' })
    expect(await read(id)).toMatchObject({ status: 'rejected' })
  })

  it('is explained to an administrator who asks why the user cannot approve', async () => {
    const why = async () => {
      const { policy, reasons } = await test.countersign.explainApprover({
        email: delegate.user.email,
        actionType: 'payment_approval',
      })
      return [policy?.held, reasons.some((reason) => reason.includes('neither holds nor has by a delegation'))]
    }
    expect(await why()).toStrictEqual([false, true])
    await lend(ada, delegate)
    expect(await why()).toStrictEqual([true, false])
  })
})
