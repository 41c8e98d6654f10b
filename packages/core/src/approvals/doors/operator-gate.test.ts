import { limits } from '@countersign/contract'
import { createTestCountersign } from '@countersign/storage-sqlite/testing'
import { describe, expect, it } from 'vitest'
import { days } from '../../shared/clock.ts'
import { approve, approvePending } from '../../testing/approve-payment.ts'
import { createTestUser, signInNewDeviceUser } from '../../testing/sign-in.ts'
import type { GivenPolicy } from '../records/action-policy.ts'
import { ApprovalNotFound } from '../requests/errors.ts'
import { ConfirmationNotApproved } from '../use/errors.ts'
import { ConfirmationRequired, type RequiredApproval } from './errors.ts'

const grants = 'user.approve' as const
const one = { permission: grants, count: 1 } as const
const three = { permission: grants, count: 3 } as const
const security = { permission: 'security.approve', count: 1 } as const

/** An administrator who lends `payment.approve` to Bob; the host gates grants. Bob holds these permissions. */
const given = async (held: readonly string[] = []) => {
  const test = await createTestCountersign({ options: { gates: { 'user.grant': { actionType: 'user_access' } } } })
  const { storage, clock, countersign } = test
  const admin = await signInNewDeviceUser(test)
  const bob = await createTestUser(test)
  await storage.transaction(async (tx) => {
    await tx.users.change(admin.user.id, 1, { permissions: ['payment.approve'] }, clock.now())
    await tx.users.change(bob.id, 1, { permissions: [...held] }, clock.now())
  })
  const { caller } = admin.web
  const lend = (confirmationId?: string) => {
    const lent = { from: admin.user.email, to: bob.email, permission: 'payment.approve', until: clock.now() + days(1) }
    return countersign.users.delegate({ ...lent, caller, confirmationId })
  }
  const required = async (): Promise<RequiredApproval> => {
    const error: unknown = await lend().catch((thrown: unknown) => thrown)
    if (!(error instanceof ConfirmationRequired)) throw new Error('the gate is open')
    return error.details
  }
  const set = (policy: GivenPolicy) => countersign.actionPolicies.set({ actionType: 'user_access', ...policy })
  return { test, countersign, admin, bob, caller, lend, required, set }
}

/** Bob's permissions, of which the last one has this many characters after the others. */
const permissionsOf = (last: number): readonly string[] => [
  ...Array.from({ length: 50 }, (_, at) => `r${at + 10}.${'x'.repeat(64)}`),
  `z.${'x'.repeat(last)}`,
]

describe('the policy that a gate of an operation names', () => {
  const isOfBob = { properties: { operation: { const: 'user.grant' } }, required: ['operation'] }
  it.each<[string, GivenPolicy, unknown]>([
    ['its only group, without the label', { ...three, label: { en: 'Security' } }, three],
    ['all its groups', { bands: [{ groups: [one, security] }] }, { groups: [one, security] }],
    ['that nobody has to approve', { bands: [{ groups: 'none' }] }, { groups: 'none' }],
    [
      'the groups of the first band that accepts the action',
      { bands: [{ when: isOfBob, groups: [one] }, { groups: [three] }] },
      one,
    ],
  ])('has %s', async (_, policy, named) => {
    const { required, set } = await given()
    expect((await required()).policy).toBeNull()
    await set(policy)
    expect((await required()).policy).toStrictEqual(named)
  })
})

describe('a gate of an operation with a policy', () => {
  it('passes with the request that the caller started and that others approved, and with nothing else', async () => {
    const { test, countersign, admin, bob, caller, lend, required, set } = await given()
    const approver = await signInNewDeviceUser(test)
    const other = await signInNewDeviceUser(test)
    const { storage, clock } = test
    await storage.transaction((tx) => tx.users.change(approver.user.id, 1, { permissions: [grants] }, clock.now()))
    await set(one)
    const { policy: _, ...action } = await required()
    const own = await countersign.confirmations.initiate({ ...action, caller })
    await approve(test, admin, own)
    await expect(lend(own.id)).rejects.toStrictEqual(new ConfirmationNotApproved())
    const ofOther = await countersign.approvalRequests.start({ ...action, caller: other.web.caller })
    await approvePending(test, approver)
    await expect(lend(ofOther.id)).rejects.toStrictEqual(new ApprovalNotFound())
    const { id } = await countersign.approvalRequests.start({ ...action, caller })
    await approvePending(test, approver)
    expect(await lend(id)).toMatchObject({ to: { id: bob.id }, permission: 'payment.approve' })
    expect(await storage.approvalRequests.byId(id)).toMatchObject({ status: 'redeemed', redeemedBy: 'gate:user.grant' })
  })
})

describe('the action of a gated grant', () => {
  it('has the permissions that the user holds, unless the payload would be too long', async () => {
    const payloadOf = (bob: { readonly id: number; readonly email: string }, oldPermissions: readonly string[]) => {
      const { id: userId, email } = bob
      return { userId, permissions: ['payment.approve'], operation: 'user.grant', email, oldPermissions, version: 2 }
    }
    const bytes = (payload: object) => Buffer.byteLength(JSON.stringify(payload))
    const shortest = bytes(payloadOf((await given()).bob, permissionsOf(0)))
    const most = limits.actionPayloadBytes - shortest
    for (const [last, isWhole] of [
      [most, true],
      [most + 1, false],
    ] as const) {
      const { bob, required } = await given(permissionsOf(last))
      const { oldPermissions, ...shorter } = payloadOf(bob, permissionsOf(last))
      const expected = isWhole ? { ...shorter, oldPermissions } : shorter
      expect((await required()).actionPayload).toStrictEqual(expected)
    }
  })
})
