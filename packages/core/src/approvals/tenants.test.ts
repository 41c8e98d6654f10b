import type { Statement } from '@countersign/contract'
import { createTestCountersign, type TestCountersign } from '@countersign/storage-sqlite/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import type { CallingService } from '../identity/authentication/calling-service.ts'
import { days } from '../shared/clock.ts'
import { Forbidden, Invalid } from '../shared/errors.ts'
import { approve, approvePending } from '../testing/approve-payment.ts'
import { type DeviceUser, signInNewDeviceUser } from '../testing/sign-in.ts'
import { wireTransferDefinition, wireTransferPayload } from '../testing/wire-transfer.ts'
import type { ArchivedConfirmation } from './archive/archived-confirmation.ts'
import { ConfirmationRequired } from './doors/errors.ts'
import { NoApprovalPolicy } from './policies/policy-of.ts'
import { ReceiptNotFound } from './receipt-keys/errors.ts'
import { ApprovalNotFound } from './requests/errors.ts'
import { ActionMismatch } from './use/errors.ts'

const action = { actionType: 'payment_approval', actionPayload: { amount: 10, currency: 'EUR', recipient: 'Ada' } } as const
const permission = 'payment.approve'
const rights = ['initiate', 'read', 'redeem'].map((right) => `confirmation.${right}:payment_approval`)
const everywhere: CallingService = { name: 'billing', scopes: [...rights, 'approval.read:payment_approval'] }
const bound = { ...everywhere, within: ['acme'] }

let test: TestCountersign
let confirmations: TestCountersign['countersign']['confirmations']
let services: TestCountersign['countersign']['services']
beforeEach(async () => {
  test = await createTestCountersign({ options: { approvalPolicies: { payment_approval: { permission, count: 1 } } } })
  ;({ confirmations, services } = test.countersign)
})

const aUserWith = (...permissions: readonly string[]): Promise<DeviceUser> => signInNewDeviceUser(test, { permissions })

const ask = ({ web }: DeviceUser, tenant?: string) => confirmations.initiate({ ...action, tenant, caller: web.caller })
const start = ({ web }: DeviceUser, tenant?: string) =>
  test.countersign.approvalRequests.start({ ...action, tenant, caller: web.caller })

const approved = async (user: DeviceUser, tenant?: string): Promise<string> => {
  const asked = await ask(user, tenant)
  await approve(test, user, asked)
  return asked.id
}

describe('a user who asks in a tenant', () => {
  it.each([
    [['x.y@acme'], true, true],
    [['*.*@acme'], true, true],
    [['*.*'], true, true],
    [['payment.approve'], false, true],
    [['payment.*'], false, true],
    [['payment.read', 'project.*'], false, false],
    [['payment.approve@other', '*.*@other'], false, false],
    [[], false, false],
  ])('with %j may ask for a confirmation: %s, and for the approvals of others: %s', async (permissions, may, maySeveral) => {
    const user = await aUserWith(...permissions)
    await aUserWith('payment.approve')
    const [one, several] = await Promise.all([ask(user, 'acme'), start(user, 'acme')].map((call) => call.catch((error) => error)))
    if (may) expect(one).toHaveProperty('challenge')
    else expect(one).toStrictEqual(new Forbidden())
    if (maySeveral) expect(several).toMatchObject({ count: 1 })
    else expect(several).toStrictEqual(new Forbidden())
  })

  it('is refused with the same error with and without a policy, and before approvers are looked up', async () => {
    const user = await aUserWith('x.y@other')
    await expect(start(user, 'acme')).rejects.toStrictEqual(new Forbidden())
    const access = { actionType: 'user_access', actionPayload: { userId: 7, permissions: 'x' } } as const
    const { approvalRequests } = test.countersign
    const inTenant = (tenant: string) => approvalRequests.start({ ...access, tenant, caller: user.web.caller })
    await expect(inTenant('acme')).rejects.toStrictEqual(new Forbidden())
    await expect(inTenant('other')).rejects.toStrictEqual(new NoApprovalPolicy())
  })

  it('needs a tenant of the right form', async () => {
    const user = await aUserWith('*.*')
    for (const tenant of ['', 'a b', 'a'.repeat(65)]) await expect(ask(user, tenant)).rejects.toThrow(Invalid)
  })

  it('asks only holders of the permission in that tenant or everywhere, and their signed votes name the tenant', async () => {
    const requester = await aUserWith('x.y@acme')
    const inTenant = await aUserWith('payment.*@acme')
    const everywhereUser = await aUserWith(permission)
    const elsewhere = await aUserWith('payment.approve@other', '*.*@other')
    const { id } = await start(requester, 'acme')
    const votes = await test.storage.approvalRequests.confirmationsOf(id)
    expect(votes.map(({ userId, tenant }) => [userId, tenant])).toStrictEqual([
      [inTenant.user.id, 'acme'],
      [everywhereUser.user.id, 'acme'],
    ])
    const [vote] = await confirmations.pending({ caller: inTenant.mobile.caller })
    expect((JSON.parse(vote?.statementText ?? '') as Statement).tenant).toBe('acme')
    expect(vote?.display.en?.lines).toContainEqual({ label: 'Tenant', value: '\u2068acme\u2069' })
    const { approvalRequests } = test.countersign
    await expect(approvalRequests.read({ approvalId: id, caller: elsewhere.web.caller })).rejects.toThrow(ApprovalNotFound)
  })

  it('loses the vote of an approver who loses the permission in that tenant', async () => {
    const requester = await aUserWith('x.y@acme')
    const approver = await aUserWith('payment.approve@acme', 'payment.approve@other')
    const { id: approvalId } = await start(requester, 'acme')
    await approvePending(test, approver)
    const read = () => test.countersign.approvalRequests.read({ approvalId, caller: requester.web.caller })
    expect(await read()).toMatchObject({ status: 'approved', approvals: 1 })
    await test.countersign.users.revoke({ email: approver.user.email, permissions: ['payment.approve@acme'] })
    expect(await read()).toMatchObject({ status: 'pending', approvals: 0 })
  })
})

describe('an approval in a tenant', () => {
  it('is consumed only for the same tenant', async () => {
    const user = await aUserWith('*.*')
    const [ofTenant, plain] = [await approved(user, 'acme'), await approved(user)]
    const consume = (confirmationId: string, tenant?: string) =>
      confirmations.consume({ ...action, tenant, confirmationId, userId: user.user.id, consumedBy: `payment ${confirmationId}` })
    for (const tenant of [undefined, 'other', 'Acme']) await expect(consume(ofTenant, tenant)).rejects.toThrow(ActionMismatch)
    await expect(consume(plain, 'acme')).rejects.toThrow(ActionMismatch)
    const { receipt } = await consume(ofTenant, 'acme')
    expect(receipt).toMatch(/^eyJ/)
    await consume(plain)
  })

  it('passes a gate for the same tenant; the refusal names the tenant', async () => {
    const user = await aUserWith('*.*')
    const { actionType, actionPayload } = action
    const build = (tenant: unknown) => ({ actionPayload, tenant: tenant as string })
    const gate = test.countersign.createGate({ name: 'bank.transfer', actionType, build })
    const { caller } = user.web
    const required = await gate({ caller, action: 'acme' }).catch((error: unknown) => error)
    if (!(required instanceof ConfirmationRequired)) throw new Error('the gate is open')
    expect(required.details).toMatchObject({ tenant: 'acme', operation: 'bank.transfer' })
    const asked = await confirmations.initiate({ ...required.details, caller })
    await approve(test, user, asked)
    await expect(gate({ caller, action: 'other', confirmationId: asked.id })).rejects.toThrow(ActionMismatch)
    await expect(gate({ caller, action: undefined, confirmationId: asked.id })).rejects.toThrow(ActionMismatch)
    await gate({ caller, action: 'acme', confirmationId: asked.id })
    await expect(gate({ caller, action: 7 })).rejects.toThrow(TypeError)
  })
})

describe('a service whose token is bound to tenants', () => {
  it('learns nothing about other tenants from the limit of pending confirmations', async () => {
    const { user } = await aUserWith('tenant.member@acme')
    for (let count = 0; count < 5; count += 1)
      await services.initiate({ ...action, tenant: 'x', service: everywhere, userId: user.id })
    const initiate = (service: CallingService) => services.initiate({ ...action, tenant: 'acme', service, userId: user.id })
    await expect(initiate(everywhere)).rejects.toThrow('Rate limit exceeded')
    for (let count = 0; count < 5; count += 1) await initiate(bound)
    await expect(initiate(bound)).rejects.toThrow('Rate limit exceeded')
  })
})

describe('an action type for one tenant', () => {
  const type = 'wire_transfer'
  const register = (ofType: string, title: string) => {
    const definition = { ...wireTransferDefinition, display: { ...wireTransferDefinition.display, title: { en: title } } }
    const lines = definition.display.lines.map((line) => ({ ...line, label: { en: line.label.en } }))
    const definitionText = JSON.stringify({ ...definition, display: { ...definition.display, lines } })
    return test.countersign.actionTypes.register({ type: ofType, version: '1.0.0', definitionText })
  }
  const titleIn = async (user: DeviceUser, tenant?: string) => {
    const given = { actionType: type, actionPayload: wireTransferPayload, tenant, caller: user.web.caller }
    const { id: confirmationId } = await confirmations.initiate(given)
    return (await confirmations.status({ caller: user.web.caller, confirmationId })).display.en?.title
  }

  it('takes precedence over the type without a tenant, in this tenant only', async () => {
    const user = await aUserWith('*.*')
    await register(`${type}@acme`, 'Of Acme')
    await expect(titleIn(user)).rejects.toThrow(Invalid)
    await expect(titleIn(user, 'other')).rejects.toThrow(Invalid)
    expect(await titleIn(user, 'acme')).toBe('Of Acme')
    await register(type, 'Of all')
    expect(await Promise.all([undefined, 'other', 'acme'].map((tenant) => titleIn(user, tenant)))).toStrictEqual([
      'Of all',
      'Of all',
      'Of Acme',
    ])
    await test.countersign.actionTypes.deactivate({ key: `action_schema:${type}@acme:v1.0.0` })
    expect(await titleIn(user, 'acme')).toBe('Of all')
  })

  it('for the tenant “null” differs from the type without a tenant', async () => {
    const user = await aUserWith('*.*')
    await register(`${type}@null`, 'Of null')
    await expect(titleIn(user)).rejects.toThrow(Invalid)
    expect(await titleIn(user, 'null')).toBe('Of null')
  })

  it.each(['payment_approval@acme', `${type}@`, `${type}@a b`, `${type}@a@b`, `@acme`])('is refused as %j', async (name) => {
    await expect(register(name, 'x')).rejects.toThrow(Invalid)
  })
})

describe('lists, archives, exports and receipts of a tenant', () => {
  it('contain nothing of other tenants', async () => {
    const user = await aUserWith('*.*', 'x.y@acme', 'x.y@other')
    await aUserWith(permission)
    const inside = await approved(user, 'acme')
    const outside = [await approved(user, 'other'), await approved(user)]
    const request = await start(user, 'acme')
    await start(user, 'other')
    const { items } = await confirmations.listAll({ tenant: 'acme', userId: user.user.id })
    expect(items.map(({ id, tenant }) => [id, tenant])).toStrictEqual([[inside, 'acme']])
    expect((await confirmations.listAll({ userId: user.user.id })).items).toHaveLength(3)

    const { receipts, users } = test.countersign
    expect(await receipts.export({ confirmationId: inside, tenant: 'acme' })).toMatch(/^eyJ/)
    for (const confirmationId of outside) {
      await expect(receipts.export({ confirmationId, tenant: 'acme' })).rejects.toStrictEqual(new ReceiptNotFound())
    }

    const exported = await users.export({ email: user.user.email, tenant: 'acme' })
    expect(exported.user.permissions).toStrictEqual(['*.*', 'x.y'])
    expect(exported.confirmations).toMatchObject([{ id: inside }])
    expect(exported.approvalRequests).toMatchObject([{ id: request.id, tenant: 'acme' }])
    expect(exported).not.toHaveProperty('projects')
    expect(JSON.stringify(exported)).not.toContain('other')
    expect((await users.export({ email: user.user.email })).confirmations).toHaveLength(3)

    test.clock.advance(days(3))
    const before = test.clock.now() - days(2)
    const query = { before, tenant: 'acme' }
    expect(await confirmations.countArchivable(query)).toBe(2)
    const archived: ArchivedConfirmation[] = []
    await confirmations.archive({ ...query, write: async (written) => void archived.push(...written) })
    expect(archived.map(({ tenant }) => tenant)).toStrictEqual(['acme', 'acme'])
    expect(await confirmations.countArchivable({ before })).toBe(3)
  })
})
