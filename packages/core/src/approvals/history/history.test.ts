import { createTestCountersign } from '@countersign/storage-sqlite/testing'
import { describe, expect, it } from 'vitest'
import { InsufficientTrustLevel } from '../../identity/authentication/caller.ts'
import { InvalidAccessToken } from '../../identity/authentication/errors.ts'
import { minutes, toIsoTimestamp } from '../../shared/clock.ts'
import { approvePayment, approvePending } from '../../testing/approve-payment.ts'
import { initiatePayment } from '../../testing/initiate-payment.ts'
import { signInByPasskey, signInNewPasskeyUser } from '../../testing/passkeys.ts'
import { createTestUser, registerTestDevice, signIn, signInByDevice, signInNewDeviceUser } from '../../testing/sign-in.ts'
import { givenService, signInDeviceUserByService } from '../../testing/sign-in-by-service.ts'

const permission = 'payment.approve'
const action = { actionType: 'payment_approval', actionPayload: { amount: 10, currency: 'EUR', recipient: 'Ada' } } as const

const given = async (options: Parameters<typeof createTestCountersign>[0] = {}) => {
  const test = await createTestCountersign({
    ...options,
    options: { approvalPolicies: { payment_approval: { permission, count: 1 } }, passkeyApprovals: true, ...options.options },
  })
  const user = await signInNewDeviceUser(test, { permissions: ['tenant.member@acme', 'tenant.member@other'] })
  return { test, user }
}
const idsOf = ({ items }: { readonly items: readonly { readonly id: string }[] }) => items.map(({ id }) => id)

describe('the history of a person', () => {
  it('has what was approved, rejected, missed, withdrawn and is pending, newest first, with the signed words', async () => {
    const { test, user } = await given()
    const { confirmations } = test.countersign
    const { caller } = user.web
    const missed = await initiatePayment(test, caller)
    test.clock.advance(minutes(6))
    const approved = await approvePayment(test, user)
    test.clock.advance(1)
    const rejected = await initiatePayment(test, caller)
    await confirmations.reject({ caller, confirmationId: rejected.id, reason: 'Not mine' })
    test.clock.advance(1)
    const withdrawn = await initiatePayment(test, caller)
    await confirmations.withdraw({ caller, confirmationId: withdrawn.id })
    test.clock.advance(1)
    const pending = await initiatePayment(test, caller)
    const history = await confirmations.listOwn({ caller: user.mobile.caller })
    expect(history.items.map(({ id, status }) => [id, status])).toStrictEqual([
      [pending.id, 'pending'],
      [withdrawn.id, 'expired'],
      [rejected.id, 'rejected'],
      [approved.id, 'approved'],
      [missed.id, 'expired'],
    ])
    expect(history.items[2]).toStrictEqual({
      id: rejected.id,
      approvalId: null,
      tenant: null,
      status: 'rejected',
      actionType: 'payment_approval',
      actionTypeVersion: null,
      actionPayloadText: expect.stringContaining('"amount"'),
      display: expect.objectContaining({ en: expect.objectContaining({ title: 'Payment' }) }),
      reason: 'Not mine',
      withdrawnAt: null,
      createdAt: expect.any(Number),
      expiresAt: expect.any(Number),
      updatedAt: expect.any(Number),
    })
    const list = async (filter: object) => idsOf(await confirmations.listOwn({ caller: user.mobile.caller, ...filter }))
    expect(await list({ status: 'expired' })).toEqual([withdrawn.id, missed.id])
    expect(await list({ status: 'approved', actionType: 'payment_approval' })).toEqual([approved.id])
    expect(await list({ actionType: 'user_access' })).toEqual([])
    const at = toIsoTimestamp(history.items[2]?.createdAt ?? 0)
    expect(await list({ until: at })).toEqual([approved.id, missed.id])
    expect(await list({ from: at })).toEqual([pending.id, withdrawn.id, rejected.id])
  })

  it('goes on at the cursor, also within one millisecond, and refuses every other cursor and limit', async () => {
    const { test, user } = await given()
    const asked: string[] = []
    for (let index = 0; index < 5; index += 1) asked.push((await initiatePayment(test, user.web.caller)).id)
    const { caller } = user.mobile
    const seen: string[] = []
    for (let cursor: string | undefined; ; ) {
      const { items, next } = await test.countersign.confirmations.listOwn({ caller, limit: 2, cursor })
      seen.push(...idsOf({ items }))
      if (next === null) break
      cursor = next
    }
    expect(seen).toEqual(asked.toSorted().toReversed())
    for (const cursor of [
      'x',
      '2026-01-31/x',
      '2026-01-31T12:00:00.000Z/',
      `${'9'.repeat(120)}/x`,
      '',
      'x'.repeat(129),
      '\0/x',
    ]) {
      const refused = { fields: { cursor: 'must be the nextCursor of a page' } }
      await expect(test.countersign.confirmations.listOwn({ caller, cursor })).rejects.toMatchObject(refused)
      await expect(test.countersign.approvalRequests.listOwn({ caller, cursor })).rejects.toMatchObject(refused)
    }
    for (const limit of [0, 101, 1.5, Number.NaN, -1]) {
      const refused = { fields: { limit: 'must be an integer from 1 to 100' } }
      await expect(test.countersign.confirmations.listOwn({ caller, limit })).rejects.toMatchObject(refused)
    }
  })

  it('is whole for a trusted device or passkey, and for any other session what that session asked for', async () => {
    const { test, user } = await given()
    const other = await signIn(test, user.user)
    const [first, second] = [await initiatePayment(test, user.web.caller), await initiatePayment(test, other.caller)]
    const list = async (caller: typeof other.caller) => idsOf(await test.countersign.confirmations.listOwn({ caller })).sort()
    expect(await list(user.mobile.caller)).toEqual([first.id, second.id].sort())
    expect(await list(user.web.caller)).toEqual([first.id])
    expect(await list(other.caller)).toEqual([second.id])
    const byPasskey = await signInNewPasskeyUser(test)
    const own = await initiatePayment(test, (await signIn(test, byPasskey.user)).caller)
    expect(await list((await signInByPasskey(test, byPasskey.virtual)).caller)).toEqual([own.id])
    expect(await list(byPasskey.caller)).toEqual([])
    expect(await list((await signInNewDeviceUser(test)).mobile.caller)).toEqual([])
  })

  it.each([
    ['verified its user, if passkeys do not approve', false, true],
    ['did not verify its user', true, false],
  ])('is what the session itself asked for, for a session of a passkey that %s', async (_, passkeyApprovals, userVerified) => {
    const { test } = await given({ options: { passkeyApprovals } })
    const { virtual, caller: web } = await signInNewPasskeyUser(test)
    await initiatePayment(test, web)
    const { caller } = await signInByPasskey(test, virtual, { changes: { flags: { userVerified } } })
    const own = await initiatePayment(test, caller)
    expect(idsOf(await test.countersign.confirmations.listOwn({ caller }))).toEqual([own.id])
  })

  it('is refused to a device and a passkey on probation, and to a session that has ended', async () => {
    const { test, user } = await given()
    test.clock.advance(minutes(11))
    const { caller } = await signIn(test, user.user)
    test.clock.advance(minutes(11))
    const registered = await registerTestDevice(test, caller)
    expect(registered.device.trusted).toBe(false)
    const onProbation = await signInByDevice(test, registered)
    for (const list of [test.countersign.confirmations.listOwn, test.countersign.approvalRequests.listOwn]) {
      await expect(list({ caller: onProbation.caller })).rejects.toThrow(InsufficientTrustLevel)
      await expect(list({ caller: { ...user.mobile.caller, sessionId: 'none' } })).rejects.toThrow(InvalidAccessToken)
    }
    await test.countersign.sessions.revoke({ id: caller.sessionId })
    await expect(test.countersign.confirmations.listOwn({ caller })).rejects.toThrow(InvalidAccessToken)
  })

  it('of a session that is bound to a tenant has nothing of other tenants, even if the host passes the caller as unbound', async () => {
    const { test } = await given()
    const permissions = ['tenant.member@acme', 'tenant.member@other']
    const user = await createTestUser(test, { permissions, password: undefined })
    const [acme, other] = [await givenService(test, 'acme-app', 'acme'), await givenService(test, 'other-app', 'other')]
    const phone = await signInDeviceUserByService(test, acme, user)
    const { initiate } = test.countersign.services
    const asked = await initiate({ ...action, service: acme.service, userId: user.id, tenant: 'acme' })
    await initiate({ ...action, service: other.service, userId: user.id, tenant: 'other' })
    expect(await test.storage.confirmations.allOfUser(user.id)).toHaveLength(2)
    for (const caller of [phone.mobile.caller, { ...phone.mobile.caller, tenants: null }]) {
      expect(idsOf(await test.countersign.confirmations.listOwn({ caller }))).toEqual([asked.id])
    }
  })

  it('has none of what was erased', async () => {
    const { test, user } = await given()
    await initiatePayment(test, user.web.caller)
    const { caller } = user.mobile
    const rows = await test.storage.confirmations.page({ userId: caller.userId, limit: 9, now: test.clock.now() })
    await test.storage.approvals.eraseAllOfUser(caller.userId)
    expect(rows).toHaveLength(1)
    expect(await test.countersign.confirmations.listOwn({ caller })).toStrictEqual({ items: [], next: null })
  })
})

describe('the requests that a person started', () => {
  it('have their status of the moment, and neither voters nor reasons of other people', async () => {
    const { test, user } = await given({ options: { openApprovalRequestsPerUser: 20 } })
    const approver = await signInNewDeviceUser(test, { permissions: [permission] })
    const start = () => test.countersign.approvalRequests.start({ ...action, caller: user.web.caller })
    const approved = await start()
    await approvePending(test, approver)
    test.clock.advance(1)
    const rejected = await start()
    const [vote] = await test.countersign.confirmations.pending({ caller: approver.mobile.caller })
    const refusal = { caller: approver.mobile.caller, confirmationId: vote?.id ?? '', reason: 'Too much' }
    await test.countersign.confirmations.reject(refusal)
    test.clock.advance(1)
    const pending = await start()
    const list = (filter: object = {}) => test.countersign.approvalRequests.listOwn({ caller: user.mobile.caller, ...filter })
    const { items } = await list()
    expect(items.map(({ id, status }) => [id, status])).toEqual([
      [pending.id, 'pending'],
      [rejected.id, 'rejected'],
      [approved.id, 'approved'],
    ])
    expect(Object.keys(items[1] ?? {}).sort()).toEqual(
      'actionPayloadText actionType count createdAt display expiresAt id status tenant withdrawnAt'.split(' '),
    )
    expect(JSON.stringify(items)).not.toContain('Too much')
    for (const [status, id] of [
      ['approved', approved.id],
      ['pending', pending.id],
      ['rejected', rejected.id],
    ]) {
      expect(idsOf(await list({ status }))).toEqual([id])
      expect(idsOf(await list({ status, limit: 1 }))).toEqual([id])
    }
    expect(idsOf(await list({ status: 'expired' }))).toEqual([])
    const ofApprover = await test.countersign.confirmations.listOwn({ caller: approver.mobile.caller })
    expect(ofApprover.items.map(({ approvalId, status }) => [approvalId, status])).toEqual([
      [pending.id, 'pending'],
      [rejected.id, 'rejected'],
      [approved.id, 'approved'],
    ])
    expect(idsOf(await test.countersign.approvalRequests.listOwn({ caller: approver.mobile.caller }))).toEqual([])
    const otherSession = await signIn(test, user.user)
    expect(idsOf(await test.countersign.approvalRequests.listOwn({ caller: otherSession.caller }))).toEqual([])
  })

  it('fill the page with the chosen status, even if the newest requests have another one', async () => {
    const { test, user } = await given({ options: { openApprovalRequestsPerUser: 20 } })
    const approver = await signInNewDeviceUser(test, { permissions: [permission] })
    const start = async () => {
      test.clock.advance(1)
      return (await test.countersign.approvalRequests.start({ ...action, caller: user.web.caller })).id
    }
    const newestApproved = async () => {
      const page = { status: 'approved', limit: 1 } as const
      const { items, next } = await test.countersign.approvalRequests.listOwn({ caller: user.mobile.caller, ...page })
      return { ids: idsOf({ items }), next }
    }
    const approved = await start()
    await approvePending(test, approver)
    await start()
    expect(await newestApproved()).toStrictEqual({ ids: [approved], next: null })
    await start()
    expect(await newestApproved()).toStrictEqual({ ids: [approved], next: null })
  })
})
