import { createTestCountersign, type TestCountersign } from '@countersign/storage-sqlite/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { type CallingService, MissingScope } from '../../identity/authentication/calling-service.ts'
import { Forbidden, Invalid } from '../../shared/errors.ts'
import { approve, approvePending } from '../../testing/approve-payment.ts'
import { initiatePayment } from '../../testing/initiate-payment.ts'
import { type DeviceUser, signInNewDeviceUser } from '../../testing/sign-in.ts'
import { validPayloads } from '../../testing/valid-payloads.ts'
import { ConfirmationNotFound } from '../confirmations/errors.ts'
import { ReceiptsNotConfigured } from '../receipt-keys/errors.ts'
import { ActionMismatch, ConfirmationConsumed } from '../use/errors.ts'

const permission = 'payment.approve'
const action = { actionType: 'payment_approval', actionPayload: validPayloads.payment_approval } as const
const service: CallingService = {
  name: 'billing',
  scopes: ['confirmation.initiate', 'confirmation.redeem', 'approval.redeem'].map((right) => `${right}:payment_approval`),
}

let test: TestCountersign
let user: DeviceUser
beforeEach(async () => {
  test = await createTestCountersign({ options: { approvalPolicies: { payment_approval: { permission, count: 1 } } } })
  user = await signInNewDeviceUser(test, { permissions: ['tenant.member@acme', 'tenant.member@other'] })
})

describe('a service that redeems a confirmation', () => {
  const redeem = (confirmationId: string, changes: object = {}, { countersign } = test) =>
    countersign.services.redeem({ ...action, service, confirmationId, userId: user.user.id, ...changes })

  const approved = async (by?: CallingService, tenant?: string): Promise<string> => {
    const asked =
      by === undefined
        ? await initiatePayment(test, user.web.caller)
        : await test.countersign.services.initiate({ ...action, service: by, userId: user.user.id, tenant })
    await approve(test, user, asked)
    return asked.id
  }

  it('gets the confirmation with its receipt once, and the same receipt again only with the same idempotency key', async () => {
    const id = await approved()
    const now = test.clock.now()
    const first = await redeem(id, { idempotencyKey: 'k' })
    const { receipt } = first
    expect(first).toMatchObject({ confirmation: { id, userId: user.user.id, consumedAt: now } })
    expect(receipt).toMatch(/^eyJ.*~$/)
    test.clock.advance(2000)
    expect(await redeem(id, { idempotencyKey: 'k' })).toMatchObject({ confirmation: { id, consumedAt: now }, receipt })
    const others = [{}, { idempotencyKey: 'other' }, { idempotencyKey: 'k', service: { ...service, name: 'shipping' } }]
    for (const other of others) await expect(redeem(id, other)).rejects.toStrictEqual(new ConfirmationConsumed())
    const withoutKey = await approved()
    await redeem(withoutKey)
    await expect(redeem(withoutKey)).rejects.toStrictEqual(new ConfirmationConsumed())
  })

  it('needs the scope for the type, and the error does not depend on the confirmation', async () => {
    const scopes = ['confirmation.redeem:user_access', 'confirmation.read:payment_approval', 'approval.redeem:payment_approval']
    for (const id of [await approved(), 'conf_x'])
      await expect(redeem(id, { service: { ...service, scopes } })).rejects.toThrow(MissingScope)
  })

  it('does not find what another service asked for, and nothing outside of its tenants', async () => {
    const unknown = new ConfirmationNotFound()
    const ofOther = await approved({ ...service, name: 'shipping' })
    await expect(redeem(ofOther)).rejects.toStrictEqual(unknown)
    const inTenant = await approved(service, 'acme')
    const within = (tenant: string) => ({ tenant: 'acme', service: { ...service, within: [tenant] } })
    await expect(redeem(inTenant, within('other'))).rejects.toStrictEqual(unknown)
    expect(await redeem(inTenant, within('acme'))).toHaveProperty('receipt')
  })

  it('is refused, and nothing is used, if the host configured no receipts', async () => {
    const id = await approved()
    const { storage, clock, jwtKeys, encryptionKeys } = test
    const withoutReceipts = await createTestCountersign({ storage, clock, jwtKeys, encryptionKeys, receipts: undefined })
    await expect(redeem(id, {}, withoutReceipts)).rejects.toStrictEqual(new ReceiptsNotConfigured())
    expect(await redeem(id)).toHaveProperty('receipt')
  })
})

describe('a service that redeems an approval request', () => {
  const given = async () => {
    const approver = await signInNewDeviceUser(test, { permissions: [permission] })
    const { approvalRequests } = test.countersign
    const { id: approvalId } = await approvalRequests.start({ ...action, caller: user.web.caller })
    await approvePending(test, approver)
    return (changes: object) => approvalRequests.redeem({ ...action, service, approvalId, ...changes })
  }

  it.each([
    ['count', { permission }],
    ['permission', { count: 1 }],
    ['permission', {}],
    ['permission', { permission, count: 1, digest: 'A'.repeat(43) }],
    ['permission', { permission, count: 1, groups: 'none' }],
  ])('learns that %s is wrong for the policy %j', async (member, stated) => {
    const redeem = await given()
    const takes = 'must be given with permission and count, or digest or groups instead of both'
    await expect(redeem(stated)).rejects.toStrictEqual(new Invalid({ [member]: takes }))
  })

  it('gets no receipt again for another action, even with the same idempotency key', async () => {
    const redeem = await given()
    const use = { permission, count: 1, idempotencyKey: 'k' }
    const first = await redeem(use)
    for (const other of [{ actionPayload: { ...action.actionPayload, amount: 1 } }, { operation: 'bank.pay' }])
      await expect(redeem({ ...use, ...other })).rejects.toStrictEqual(new ActionMismatch())
    expect(await redeem(use)).toStrictEqual(first)
  })
})

describe('a service that asks a user for a confirmation', () => {
  const initiate = (changes: object = {}) =>
    test.countersign.services.initiate({ ...action, service, userId: user.user.id, ...changes })
  const pending = () => test.countersign.confirmations.pending({ caller: user.mobile.caller })

  it('gets a match number if it asks for one, and otherwise none', async () => {
    expect(await initiate()).toMatchObject({ matchNumber: null })
    expect(await initiate({ numberMatching: false })).toMatchObject({ matchNumber: null })
    expect(await initiate({ numberMatching: true })).toMatchObject({ matchNumber: expect.stringMatching(/^\d\d$/) })
    expect((await pending()).map(({ numberMatching }) => numberMatching).toSorted()).toStrictEqual([false, false, true])
  })

  it('needs the scope for the type, and cannot ask for what only the user or Countersign asks for', async () => {
    const as = (...scopes: readonly string[]) => ({ service: { ...service, scopes } })
    const read = as('confirmation.read:payment_approval', 'confirmation.initiate:user_access')
    await expect(initiate(read)).rejects.toThrow(MissingScope)
    for (const actionType of ['device_register', 'password_change'] as const) {
      const own = { ...as(`confirmation.initiate:${actionType}`), actionType, actionPayload: validPayloads[actionType] }
      const refusal = new Invalid({ actionType: 'must not be device_register or password_change' })
      await expect(initiate(own)).rejects.toStrictEqual(refusal)
    }
    expect(await pending()).toStrictEqual([])
  })

  it('asks only in the tenants of its token', async () => {
    const bound = { service: { ...service, within: ['acme'] } }
    for (const tenant of ['other', undefined]) await expect(initiate({ ...bound, tenant })).rejects.toStrictEqual(new Forbidden())
    expect(await pending()).toStrictEqual([])
    expect(await initiate({ ...bound, tenant: 'acme' })).toHaveProperty('id')
  })
})
