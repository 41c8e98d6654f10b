import { createTestCountersign, type TestCountersign, type TestCountersignOverrides } from '@countersign/storage-sqlite/testing'
import { describe, expect, it, vi } from 'vitest'
import { days } from '../../shared/clock.ts'
import { Invalid } from '../../shared/errors.ts'
import { approvePending } from '../../testing/approve-payment.ts'
import { type DeviceUser, signInNewDeviceUser } from '../../testing/sign-in.ts'
import { PolicyChanged } from '../policies/require-unchanged.ts'
import { ApprovalNotFound, ApprovalRedeemed } from '../requests/errors.ts'
import type { ConsumeRequest } from './host.ts'

const permission = 'payment.approve'
const action = { actionType: 'payment_approval', actionPayload: { amount: 10, currency: 'EUR', recipient: 'Ada' } } as const

const aUserWith = (test: TestCountersign, permissions: string[]): Promise<DeviceUser> =>
  signInNewDeviceUser(test, { permissions })

/** A request that has the two approvals that it needs. */
const given = async (overrides: TestCountersignOverrides = {}, permissions: string[] = []) => {
  const test = await createTestCountersign(overrides)
  const { approvalRequests, actionPolicies } = test.countersign
  await actionPolicies.set({ actionType: 'payment_approval', permission, count: 2 })
  const requester = await aUserWith(test, permissions)
  const approvers = [await aUserWith(test, [permission]), await aUserWith(test, [permission])]
  const { id: requestId } = await approvalRequests.start({ ...action, caller: requester.web.caller })
  for (const approver of approvers) await approvePending(test, approver)
  const use = { ...action, requestId, policy: { permission, count: 2 }, consumedBy: 'payment 1' } as const
  const consume = (changes: Partial<ConsumeRequest> = {}) => approvalRequests.consume({ ...use, ...changes })
  return { test, consume, use, requester, approvers }
}

/** Runs the work between the next reading of the request and the reading of its votes. */
const onceVotesAreRead = ({ storage: { approvalRequests } }: TestCountersign, work: () => Promise<unknown>): void => {
  const { confirmationsOf } = approvalRequests
  vi.spyOn(approvalRequests, 'confirmationsOf').mockImplementationOnce(async (id) => {
    await work()
    return confirmationsOf(id)
  })
}

/** Runs the work between the counting of the votes and the transaction that uses them. */
const onceVotesAreCounted = ({ storage }: TestCountersign, work: () => Promise<unknown>): void => {
  const { transaction } = storage
  vi.spyOn(storage, 'transaction').mockImplementationOnce(async (use) => {
    await work()
    return transaction(use)
  })
}

describe('a vote that was counted', () => {
  type Given = Awaited<ReturnType<typeof given>> & { readonly first: DeviceUser }
  it.each<[string, (given: Given) => Promise<unknown>]>([
    [
      'its approver loses the permission',
      ({ test, first }) => test.countersign.users.revoke({ email: first.user.email, permissions: [permission] }),
    ],
    ['its device is removed', ({ test, first }) => test.countersign.devices.revoke({ id: first.device.id })],
    [
      'the requester appoints its approver',
      ({ test, first, requester }) =>
        test.countersign.users.delegate({
          from: requester.user.email,
          to: first.user.email,
          permission: 'invoice.pay',
          until: test.clock.now() + days(1),
        }),
    ],
    [
      'the policy asks for more',
      ({ test }) => test.countersign.actionPolicies.set({ actionType: 'payment_approval', permission, count: 3 }),
    ],
    ['another operation uses it', ({ consume }) => consume({ consumedBy: 'payment 2' })],
  ])('is not used if %s in the moment before', async (_, change) => {
    const all = await given({}, ['invoice.pay'])
    const [first] = all.approvers as [DeviceUser]
    onceVotesAreCounted(all.test, () => change({ ...all, first }))
    await expect(all.consume()).rejects.toMatchObject({ code: expect.stringMatching(/^(approval_|policy_changed)/) })
    const votes = await all.test.storage.approvalRequests.confirmationsOf(all.use.requestId)
    expect(votes.map(({ consumedBy }) => consumedBy)).not.toContain('host:payment 1')
  })
})

describe('using an approval request without a transaction of the host', () => {
  it('gives the same answer for the same operation, and refuses any other', async () => {
    const { consume, test } = await given()
    const first = await consume()
    expect(first).toStrictEqual({
      receipts: [expect.stringMatching(/^eyJ/), expect.stringMatching(/^eyJ/)],
      consumedAt: test.clock.now(),
    })
    test.clock.advance(2000)
    expect(await consume()).toStrictEqual(first)
    await expect(consume({ consumedBy: 'payment 2' })).rejects.toStrictEqual(new ApprovalRedeemed())
  })

  it('issues the receipts at the time of the use, not of the approvals', async () => {
    const { consume, test, use } = await given()
    const [vote] = await test.storage.approvalRequests.confirmationsOf(use.requestId)
    // The receipt key is published before the use.
    await test.countersign.receipts.export({ confirmationId: vote?.id ?? '' })
    test.clock.advance(2000)
    const { receipts } = await consume()
    const issued = receipts.map((receipt) => JSON.parse(Buffer.from(receipt.split('.')[1] ?? '', 'base64url').toString()).iat)
    expect(issued).toStrictEqual([test.clock.now() / 1000, test.clock.now() / 1000])
  })

  it('succeeds for exactly one of 50 operations at the same time', async () => {
    const { consume } = await given()
    const outcomes = await Promise.allSettled(Array.from({ length: 50 }, (_, at) => consume({ consumedBy: `payment ${at}` })))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  it('says that the approvals were used, also if that happened after the request was read', async () => {
    const { consume, test } = await given()
    onceVotesAreRead(test, () => consume({ consumedBy: 'payment 1' }))
    await expect(consume({ consumedBy: 'payment 2' })).rejects.toStrictEqual(new ApprovalRedeemed())
  })

  it('shows the request as redeemed, also if that happened after the request was read', async () => {
    const { consume, test, use, requester } = await given()
    onceVotesAreRead(test, consume)
    const { caller } = requester.web
    const read = () => test.countersign.approvalRequests.read({ approvalId: use.requestId, caller })
    expect(await read()).toMatchObject({ status: 'redeemed', approvals: 2 })
  })

  it('gives the answer of a faster call for the same operation', async () => {
    const { consume, test } = await given()
    let first: unknown
    onceVotesAreRead(test, async () => {
      first = await consume()
    })
    expect(await consume()).toStrictEqual(first)
  })

  it('gives no receipts if the host has none configured, also at a repeated call', async () => {
    const { consume, test } = await given({ receipts: undefined })
    const used = { receipts: [], consumedAt: test.clock.now() }
    expect(await consume()).toStrictEqual(used)
    expect(await consume()).toStrictEqual(used)
  })

  it('is refused under a tightened policy, and for an unknown request', async () => {
    const { consume, test } = await given()
    await expect(consume({ requestId: 'appr_unknown' })).rejects.toStrictEqual(new ApprovalNotFound())
    await test.countersign.actionPolicies.set({ actionType: 'payment_approval', permission, count: 3 })
    await expect(consume()).rejects.toStrictEqual(new PolicyChanged())
  })

  it('names each approval that does not count, with the reason, in the error and in the log', async () => {
    const { consume, test, approvers, use } = await given()
    const [first, second] = approvers as [DeviceUser, DeviceUser]
    const { users, devices } = test.countersign
    const refused = async (...reasons: readonly (readonly [DeviceUser, string])[]) => {
      const uncounted = reasons.map(([{ user }, reason]) => ({
        userId: user.id,
        confirmationId: expect.stringMatching(/^conf_/),
        reason,
      }))
      const sorted = expect.arrayContaining(uncounted)
      await expect(consume()).rejects.toMatchObject({ code: 'approval_not_approved', uncounted: sorted })
      await expect(consume()).rejects.toMatchObject({ uncounted: { length: reasons.length } })
      const fields = { approvalId: use.requestId, uncounted: sorted }
      expect(test.logger.entries.at(-1)).toEqual({ level: 'info', event: 'approvals_not_counted', fields })
    }
    await users.revoke({ email: first.user.email, permissions: [permission] })
    await refused([first, 'permission_missing'])
    await devices.revoke({ id: second.device.id })
    await refused([first, 'permission_missing'], [second, 'key_removed'])
    await users.disable({ email: first.user.email })
    await refused([first, 'voided'], [second, 'key_removed'])
  })

  it('uses a request that needs nobody once', async () => {
    const { test, use, requester } = await given()
    await test.countersign.actionPolicies.set({ actionType: 'payment_approval', bands: [{ groups: 'none' }] })
    const { approvalRequests } = test.countersign
    const { id: requestId } = await approvalRequests.start({ ...action, caller: requester.web.caller })
    const free = { ...use, requestId, policy: { groups: 'none' } } as const
    expect(await approvalRequests.consume(free)).toStrictEqual({ receipts: [], consumedAt: test.clock.now() })
    await expect(approvalRequests.consume({ ...free, consumedBy: 'payment 2' })).rejects.toStrictEqual(new ApprovalRedeemed())
  })

  it.each([
    { policy: undefined },
    { policy: {} },
    { policy: { permission } },
    { policy: { permission, count: 2, digest: 'x' } },
    { policy: { groups: [{ permission }] } },
    { requestId: 7 },
    { consumedBy: '' },
    { actionPayload: 'text' },
  ])('refuses the input %j', async (changes) => {
    const { consume } = await given()
    await expect(consume(changes as object)).rejects.toThrow(Invalid)
  })

  it('takes no client on a database that cannot share a transaction', async () => {
    const { test, use } = await given()
    const client = { query: async () => ({ rows: [] }) }
    await expect(test.countersign.approvalRequests.consume(use, { client })).rejects.toThrow(/only PostgreSQL/)
    await expect(test.countersign.approvalRequests.consume(use, { client: {} as typeof client })).rejects.toThrow(Invalid)
    expect(await test.countersign.approvalRequests.consume(use, { client: 'none' })).toMatchObject({ receipts: { length: 2 } })
  })
})
