import { createTestCountersign, type TestCountersign } from '@countersign/storage-sqlite/testing'
import { beforeEach, describe, expect, it } from 'vitest'
import { Invalid } from '../../shared/errors.ts'
import { createTestUser, registerTestDevice, type SignedIn, signIn } from '../../testing/sign-in.ts'
import { NoApprovalPolicy } from '../policies/policy-of.ts'
import type { PolicyBand } from '../records/action-policy.ts'

const actionType = 'payment_approval'
const payment = (amount: number) => ({ amount, currency: 'EUR', recipient: 'Ada' })
const finance = (count: number) => ({ permission: 'finance.approve', count }) as const
const legal = { permission: 'legal.approve', count: 1 } as const
const noWarnings = { bandsWithoutCurrency: [], bandsTooComplex: [], bandsAboveLast: [], bandsForEverything: [] }
const upTo = (maximum: number) => ({
  type: 'object',
  properties: { amount: { type: 'number', maximum }, currency: { const: 'EUR' } },
  required: ['amount', 'currency'],
})

let test: TestCountersign
beforeEach(async () => {
  test = await createTestCountersign()
})

const aUserWith = async (...permissions: readonly string[]): Promise<SignedIn> => {
  const signedIn = await signIn(test, await createTestUser(test, { permissions: [...permissions] }))
  await registerTestDevice(test, signedIn.caller)
  return signedIn
}
const set = (bands: readonly PolicyBand[], tenant: string | null = null) =>
  test.countersign.actionPolicies.set({ actionType, tenant, bands })

describe('a test of a policy', () => {
  it('says which band applies, and lists exactly those whom a request in the tenant would ask', async () => {
    const requester = await aUserWith('other.read@acme')
    const [one, other] = [await aUserWith('finance.*'), await aUserWith('finance.approve', 'legal.approve')]
    const inTenant = await aUserWith('legal.*@acme')
    await createTestUser(test, { permissions: ['finance.approve'] })
    await set([
      { when: upTo(1000), groups: 'none' },
      { when: upTo(50_000), groups: [finance(1)] },
      { groups: [finance(2), legal] },
    ])
    const of = async (amount: number, tenant: string | null = null) => {
      const tested = await test.countersign.actionPolicies.test({ actionType, tenant, actionPayload: payment(amount) })
      return { ...tested, approvers: tested.approvers.map(({ id }) => id) }
    }
    expect(await of(1000)).toMatchObject({
      band: 0,
      count: 0,
      approvers: [],
      areEnough: true,
      ...noWarnings,
    })
    const both = [one.user.id, other.user.id]
    expect(await of(1001)).toMatchObject({ band: 1, count: 1, approvers: both, areEnough: true })
    expect(await of(50_001)).toMatchObject({ band: 2, count: 3, areEnough: false, policy: { actionType, version: 1 } })
    const tested = await of(50_001, 'acme')
    expect(tested).toMatchObject({ band: 2, count: 3, areEnough: true })
    expect(new Set(tested.approvers)).toEqual(new Set([...both, inTenant.user.id]))
    const actionPayload = payment(50_001)
    const request = { actionType, tenant: 'acme', actionPayload, caller: requester.caller } as const
    const { id } = await test.countersign.approvalRequests.start(request)
    const votes = await test.storage.approvalRequests.confirmationsOf(id)
    expect(new Set(votes.map(({ userId }) => userId))).toEqual(new Set(tested.approvers))
  })

  it('lists the first user of the installation like any other', async () => {
    const first = await aUserWith('finance.approve')
    await set([{ groups: [finance(1)] }])
    const { approvers, areEnough } = await test.countersign.actionPolicies.test({ actionType, actionPayload: payment(1) })
    const { id, email, name } = first.user
    expect({ approvers, areEnough }).toStrictEqual({ approvers: [{ id, email, name }], areEnough: true })
  })

  it('is refused without a policy, for an input that is not a payload, and for a type named `test`', async () => {
    const { actionPolicies } = test.countersign
    await expect(actionPolicies.test({ actionType, actionPayload: payment(1) })).rejects.toThrow(NoApprovalPolicy)
    await expect(actionPolicies.test({ actionType, actionPayload: [] as never })).rejects.toThrow(Invalid)
    await expect(actionPolicies.test({ actionType: 'test', actionPayload: {} })).rejects.toThrow(Invalid)
  })

  const amount = { type: 'number', maximum: 1000 }
  const object = { type: 'object' } as const
  it.each<[string, PolicyBand['when'], boolean]>([
    ['an amount and no currency', { ...object, properties: { amount } }, true],
    ['a currency that may be absent', { ...object, properties: { amount, currency: { const: 'EUR' } } }, true],
    [
      'one of two currencies',
      { ...object, properties: { amount, currency: { enum: ['EUR', 'USD'] } }, required: ['currency'] },
      true,
    ],
    ['one currency', { ...object, properties: { amount, currency: { enum: ['EUR'] } }, required: ['currency'] }, false],
    ['a constant currency', upTo(1000), false],
    ['no amount', { ...object, properties: { recipient: { const: 'Ada' } } }, false],
    ['an amount above', { ...object, properties: { amount: { type: 'integer', exclusiveMinimum: 1 } } }, true],
  ])('warns of a band that compares amounts without checking the currency: %s', async (_, when, warns) => {
    const actionPayload = payment(1)
    await set([{ when, groups: 'none' }, { groups: [finance(1)] }])
    const { bandsWithoutCurrency } = await test.countersign.actionPolicies.test({ actionType, actionPayload })
    expect(bandsWithoutCurrency).toStrictEqual(warns ? [0] : [])
  })

  it('finds the amounts of a registered type by its display', async () => {
    const { actionPolicies, actionTypes } = test.countersign
    const property = { type: 'number' }
    const definition = {
      schema: {
        type: 'object',
        additionalProperties: false,
        properties: { sum: property, unit: { type: 'string', maxLength: 3 } },
        required: ['sum', 'unit'],
      },
      display: {
        title: { en: 'Sum' },
        lines: [{ label: { en: 'Sum' }, pointer: '/sum', format: 'money', currency: '/unit' }],
      },
    }
    await actionTypes.register({ type: 'sum_approval', version: '1.0.0', definitionText: JSON.stringify(definition) })
    const when = (unit: object) => ({
      type: 'object',
      properties: { sum: { type: 'number', maximum: 5 }, ...unit },
      required: ['sum', 'unit'],
    })
    const bands = [
      { when: when({ unit: { const: 'EUR' } }), groups: 'none' },
      { when: when({}), groups: [finance(1)] },
      { groups: [finance(2)] },
    ] as const
    await actionPolicies.set({ actionType: 'sum_approval', bands })
    const tested = await actionPolicies.test({ actionType: 'sum_approval', actionPayload: { sum: 1, unit: 'USD' } })
    expect(tested).toMatchObject({ band: 1, bandsWithoutCurrency: [1] })
  })
})

describe('a band that compares a nested amount', () => {
  const object = { type: 'object' } as const
  const sum = { type: 'number', maximum: 5 }
  const unit = { const: 'EUR' }
  it.each<[string, object, boolean]>([
    ['the currency and the object around it are required', { required: ['total'] }, false],
    ['the object around the currency may be absent', {}, true],
  ])('is in the warnings if the currency is not certain: %s', async (_, more, warns) => {
    const { actionPolicies, actionTypes } = test.countersign
    const properties = { sum: { type: 'number' }, unit: { type: 'string', maxLength: 3 } }
    const total = { ...object, additionalProperties: false, properties, required: ['sum', 'unit'] }
    const definition = {
      schema: { ...object, additionalProperties: false, properties: { total }, required: ['total'] },
      display: {
        title: { en: 'Sum' },
        lines: [{ label: { en: 'Sum' }, pointer: '/total/sum', format: 'money', currency: '/total/unit' }],
      },
    }
    await actionTypes.register({ type: 'sum_approval', version: '1.0.0', definitionText: JSON.stringify(definition) })
    const when = { ...object, properties: { total: { ...object, properties: { sum, unit }, required: ['unit'] } }, ...more }
    const bands = [{ when, groups: 'none' }, { groups: [finance(1)] }] as const
    const { bandsWithoutCurrency } = await actionPolicies.set({ actionType: 'sum_approval', bands })
    expect(bandsWithoutCurrency).toStrictEqual(warns ? [0] : [])
  })
})

describe('a dry run of a policy', () => {
  it('without a tenant lists no request in a tenant that has a policy of its own', async () => {
    const requester = await aUserWith('other.read@acme')
    await aUserWith('*.*')
    await set([{ groups: [finance(1)] }])
    await set([{ groups: [finance(1)] }], 'acme')
    const startIn = (tenant: string | null) =>
      test.countersign.approvalRequests.start({ actionType, actionPayload: payment(1), tenant, caller: requester.caller })
    const [plain] = [await startIn(null), await startIn('acme')]
    const { ended } = await test.countersign.actionPolicies.dryRun({ actionType, bands: [{ groups: [finance(2)] }] })
    expect(ended.map(({ id }) => id)).toStrictEqual([plain.id])
  })

  it('lists exactly the open requests that the policy then ends, and stores nothing', async () => {
    const requester = await aUserWith('other.read@acme')
    for (let count = 0; count < 2; count += 1) await aUserWith('*.*')
    const policies: readonly (readonly [readonly PolicyBand[], string | null])[] = [
      [[{ groups: [finance(2)] }], null],
      [[{ when: upTo(10), groups: [finance(1)] }, { groups: [finance(2)] }], null],
      [[{ groups: [finance(1)] }], null],
      [[{ groups: [finance(1)], reasonRequired: true }], 'acme'],
      [[{ groups: 'none' }], 'acme'],
      [[{ groups: [finance(1)], expiresIn: 1 }], null],
    ]
    const start = (amount: number, tenant: string | null) =>
      test.countersign.approvalRequests.start({ actionType, actionPayload: payment(amount), tenant, caller: requester.caller })
    const isOpen = async (approvalId: string) =>
      (await test.countersign.approvalRequests.read({ approvalId, caller: requester.caller })).status === 'pending'
    let endedAtAll = 0
    for (const [bands, tenant] of policies) {
      await set([{ groups: [finance(1)] }])
      const ids = [await start(5, null), await start(50, null), await start(5, 'acme'), await start(50, 'acme')].map(
        ({ id }) => id,
      )
      const before = await test.countersign.actionPolicies.list()
      test.clock.advance(2000)
      const { ended } = await test.countersign.actionPolicies.dryRun({ actionType, tenant, bands })
      expect(await test.countersign.actionPolicies.list()).toStrictEqual(before)
      for (const id of ids) expect(await isOpen(id)).toBe(true)
      await set(bands, tenant)
      const closed: string[] = []
      for (const id of ids) if (!(await isOpen(id))) closed.push(id)
      expect(ended.map(({ id }) => id)).toStrictEqual(closed.toSorted())
      expect((await test.countersign.actionPolicies.dryRun({ actionType, tenant, bands })).ended).toStrictEqual([])
      endedAtAll += ended.length
      if (tenant !== null) await test.countersign.actionPolicies.remove({ actionType, tenant })
      await test.storage.approvals.endAllOfUser(requester.user.id, test.clock.now(), 'account')
    }
    expect(endedAtAll).toBe(4 + 2 + 0 + 2 + 0 + 4)
  })

  it('looks at every page of open requests', async () => {
    const requester = await aUserWith()
    await aUserWith('finance.approve')
    await set([{ groups: [finance(1)] }])
    const { id } = await test.countersign.approvalRequests.start({
      actionType,
      actionPayload: payment(1),
      caller: requester.caller,
    })
    const request = await test.storage.approvalRequests.byId(id)
    if (request === undefined) throw new Error('nothing was asked')
    const { openOfType } = test.storage.approvalRequests
    let read = 0
    const pages: typeof openOfType = async (type, page) => {
      read += 1
      return read === 1 ? Array<typeof request>(page.limit).fill(request) : openOfType(type, { ...page, afterId: '' })
    }
    Object.assign(test.storage.approvalRequests, { openOfType: pages })
    const { ended } = await test.countersign.actionPolicies.dryRun({ actionType, bands: [{ groups: [finance(2)] }] })
    expect(ended).toHaveLength(201)
  })

  it('lists no request if the option of the host takes precedence, and is refused for an invalid policy', async () => {
    const options = { approvalPolicies: { payment_approval: finance(1) } }
    test = await createTestCountersign({ options })
    const requester = await aUserWith()
    await aUserWith('finance.approve')
    const { actionPolicies, approvalRequests } = test.countersign
    await approvalRequests.start({ actionType, actionPayload: payment(1), caller: requester.caller })
    expect(await actionPolicies.dryRun({ actionType, ...finance(2) })).toStrictEqual({
      ended: [],
      ...noWarnings,
    })
    await expect(actionPolicies.dryRun({ actionType, ...finance(0) })).rejects.toThrow(Invalid)
    await expect(actionPolicies.dryRun({ actionType, bands: [] })).rejects.toThrow(Invalid)
  })
})
