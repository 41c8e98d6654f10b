import { createTestCountersign, type TestCountersign } from '@countersign/storage-sqlite/testing'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { days } from '../../shared/clock.ts'
import { approve, approvePending } from '../../testing/approve-payment.ts'
import { approvalByPasskey, registerTestPasskey } from '../../testing/passkeys.ts'
import { type DeviceUser, registerTestDevice, signInNewDeviceUser, signInNewUser } from '../../testing/sign-in.ts'

const permission = 'payment.approve'
const actionType = 'payment_approval'
const action = { actionType, actionPayload: { amount: 10, currency: 'EUR', recipient: 'Ada' } } as const
const service = { name: 'billing', scopes: [`approval.redeem:${actionType}`] }

let test: TestCountersign
let requester: DeviceUser

const aUser = (...permissions: readonly string[]): Promise<DeviceUser> => signInNewDeviceUser(test, { permissions })
const setCount = (count: number) => test.countersign.actionPolicies.set({ actionType, permission, count })
const start = async () => (await test.countersign.approvalRequests.start({ ...action, caller: requester.web.caller })).id
const read = (approvalId: string) => test.countersign.approvalRequests.read({ approvalId, caller: requester.web.caller })
const pendingOf = ({ mobile: { caller } }: DeviceUser) => test.countersign.confirmations.pending({ caller })
const redeem = (approvalId: string, count: number, { countersign } = test) =>
  countersign.approvalRequests.redeem({ ...action, approvalId, permission, count, service })
const lend = (from: DeviceUser, to: DeviceUser, lent: `${string}.${string}`) => {
  const until = test.clock.now() + days(1)
  return test.countersign.users.delegate({ from: from.user.email, to: to.user.email, permission: lent, until })
}

beforeEach(async () => {
  test = await createTestCountersign({ options: { passkeyApprovals: true } })
  requester = await aUser('invoice.pay')
})

describe('an approval that was given', () => {
  const refusedWith = async (approvalId: string, userId: number, reason: string, by = test) => {
    const uncounted = [{ userId, confirmationId: expect.stringMatching(/^conf_/), reason }]
    await expect(redeem(approvalId, 1, by)).rejects.toMatchObject({ code: 'approval_not_approved', uncounted })
  }

  it.each<[string, string, (approver: DeviceUser) => Promise<unknown>]>([
    ['the requester appoints its approver', 'requester', (approver) => lend(requester, approver, 'invoice.pay')],
    ['the requester registers its key', 'same_key', ({ signer }) => registerTestDevice(test, requester.web.caller, { signer })],
    [
      'its approver has the permission by a delegation only, for which the approver did not vote',
      'permission_missing',
      async (approver) => {
        await test.countersign.users.revoke({ email: approver.user.email, permissions: [permission] })
        await lend(await aUser(permission), approver, permission)
      },
    ],
  ])('no longer counts once %s, and the host learns the reason: %s', async (_, reason, happens) => {
    const approver = await aUser(permission)
    await setCount(1)
    const id = await start()
    await approvePending(test, approver)
    await happens(approver)
    await refusedWith(id, approver.user.id, reason)
    expect(await read(id)).toMatchObject({ status: 'pending', approvals: 0 })
  })

  it('by a passkey no longer counts once passkeys do not approve, and the host learns the reason', async () => {
    const { caller, user } = await signInNewUser(test, { permissions: [permission] })
    const { virtual } = await registerTestPasskey(test, caller)
    await setCount(1)
    const id = await start()
    const [vote] = await test.storage.approvalRequests.confirmationsOf(id)
    if (vote === undefined) throw new Error('nobody was asked')
    await test.countersign.confirmations.approve({ ...approvalByPasskey(virtual, vote), caller })
    const { storage, clock, encryptionKeys, jwtKeys } = test
    await refusedWith(id, user.id, 'kind_of_key', await createTestCountersign({ storage, clock, encryptionKeys, jwtKeys }))
    await redeem(id, 1)
  })

  it('does not count if an earlier one has the same key, even if somebody wrote the key into the database', async () => {
    const [one, other] = [await aUser(permission), await aUser(permission)]
    await setCount(2)
    const id = await start()
    await approvePending(test, one)
    test.clock.advance(1)
    await approvePending(test, other)
    const { confirmationsOf } = test.storage.approvalRequests
    const [first] = (await confirmationsOf(id)).filter(({ userId }) => userId === one.user.id)
    vi.spyOn(test.storage.approvalRequests, 'confirmationsOf').mockImplementation(async (of) =>
      (await confirmationsOf(of)).map((vote) =>
        vote.evidence && first?.evidence
          ? { ...vote, evidence: { ...vote.evidence, publicKey: first.evidence.publicKey } }
          : vote,
      ),
    )
    const uncounted = [{ userId: other.user.id, reason: 'same_key' }]
    await expect(redeem(id, 2)).rejects.toMatchObject({ code: 'approval_not_approved', uncounted })
  })
})

describe('the approvals of a request', () => {
  it('are read in the order of their times, and in the order of their ids within a millisecond', async () => {
    const approvers = [await aUser(permission), await aUser(permission), await aUser(permission)]
    await setCount(3)
    const id = await start()
    const asked: (readonly [DeviceUser, Awaited<ReturnType<typeof pendingOf>>[number]])[] = []
    for (const user of approvers) for (const vote of await pendingOf(user)) asked.push([user, vote])
    const [lowest, middle, highest] = asked.toSorted(([, one], [, other]) => (one.id < other.id ? -1 : 1))
    if (lowest === undefined || middle === undefined || highest === undefined) throw new Error('three people are asked')
    await approve(test, ...highest)
    test.clock.advance(1)
    await approve(test, ...middle)
    await approve(test, ...lowest)
    expect((await read(id)).votes.map((vote) => vote.id)).toStrictEqual([highest, lowest, middle].map(([{ user }]) => user.id))
  })
})

describe('a request', () => {
  it('asks a holder of the permission whose phone approves only with a passkey, because the holder may register one', async () => {
    test = await createTestCountersign({ options: { passkeyApprovals: true, approverVerification: 'always' } })
    requester = await aUser()
    await aUser(permission)
    const holder = await signInNewDeviceUser(test, { permissions: [permission], registeredWith: 'approver' })
    await setCount(1)
    const votes = await test.storage.approvalRequests.confirmationsOf(await start())
    expect(votes.map(({ userId }) => userId)).toContain(holder.user.id)
  })

  it('that was rejected is not shown as expired when the policy later asks for more', async () => {
    const approver = await aUser(permission)
    await setCount(1)
    const id = await start()
    const [vote] = await pendingOf(approver)
    await test.countersign.confirmations.reject({ caller: approver.mobile.caller, confirmationId: vote?.id ?? '' })
    await setCount(2)
    expect(await read(id)).toMatchObject({ status: 'rejected' })
  })
})
