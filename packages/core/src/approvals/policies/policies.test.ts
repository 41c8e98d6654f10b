import { createTestCountersign, type TestCountersign } from '@countersign/storage-sqlite/testing'
import { describe, expect, it } from 'vitest'
import { days } from '../../shared/clock.ts'
import { Invalid } from '../../shared/errors.ts'
import { approvePending } from '../../testing/approve-payment.ts'
import { type DeviceUser, signInNewDeviceUser } from '../../testing/sign-in.ts'
import type { PolicyBand } from '../records/action-policy.ts'
import { ApprovalExpired, ApprovalNotApproved, ApprovalRedeemed, OtherPolicy, TooFewApprovers } from '../requests/errors.ts'
import { asksForMore, fillGroups } from './match-groups.ts'
import { PolicyChanged } from './require-unchanged.ts'
import { selectBand, signedPolicy } from './select-band.ts'

const actionType = 'payment_approval'
const payment = (amount: unknown, currency = 'EUR') =>
  ({ actionType, actionPayload: { amount: amount as number, currency, recipient: 'Ada' } }) as const
const service = { name: 'billing', scopes: [`approval.read:${actionType}`, `approval.redeem:${actionType}`] }
const finance = (count: number) => ({ permission: 'finance.approve', count }) as const
const legal = (count: number) => ({ permission: 'legal.approve', count }) as const
const upTo = (maximum: number) => ({
  type: 'object',
  properties: { amount: { type: 'number', maximum }, currency: { const: 'EUR' } },
  required: ['amount', 'currency'],
})
/** Up to 1,000 EUR nobody approves, up to 50,000 EUR one person of finance, above that two of finance and one of legal. */
const bands: readonly PolicyBand[] = [
  { when: upTo(1000), groups: 'none' },
  { when: upTo(50_000), groups: [finance(1)] },
  { groups: [finance(2), legal(1)], reasonRequired: true },
]
const one = (groups: PolicyBand['groups'], more: Partial<PolicyBand> = {}) => ({ actionType, bands: [{ groups, ...more }] })

const aUserWith = (test: TestCountersign, permissions: readonly string[]): Promise<DeviceUser> =>
  signInNewDeviceUser(test, { permissions })

const given = async (...permissions: readonly (readonly string[])[]) => {
  const test = await createTestCountersign()
  const { countersign } = test
  const requester = await aUserWith(test, ['finance.approve', 'legal.approve'])
  const people: DeviceUser[] = []
  for (const held of permissions) people.push(await aUserWith(test, held))
  const start = (action: ReturnType<typeof payment> = payment(10), context?: Record<string, string>) =>
    countersign.approvalRequests.start({ ...action, context, caller: requester.web.caller })
  const approves = async (...at: readonly number[]) => {
    for (const index of at) await approvePending(test, people[index] as DeviceUser)
  }
  const redeem = (approvalId: string, stated: object, action: object = payment(10)) =>
    countersign.approvalRequests.redeem({ ...payment(10), ...action, approvalId, service, ...stated })
  const read = (approvalId: string) => countersign.approvalRequests.read({ approvalId, caller: requester.web.caller })
  return { test, countersign, set: countersign.actionPolicies.set, start, approves, redeem, read, people }
}

describe('the band of a payload', () => {
  it.each([
    [payment(1000), 0],
    [payment(1000.01), 1],
    [payment(50_000), 1],
    [payment(50_001), 2],
    [payment('10'), 2],
    [payment(10, 'USD'), 2],
    [payment(Number.MIN_SAFE_INTEGER), 0],
    [{ actionPayload: { currency: 'EUR' } }, 2],
    [{ actionPayload: { amount: null, currency: 'EUR' } }, 2],
    [{ actionPayload: { amount: [10], currency: ['EUR'] } }, 2],
  ])('is, for %j, the band %i', async ({ actionPayload }, band) => {
    expect(await selectBand({ bands }, actionPayload)).toBe(band)
  })
})

describe('the groups of a band', () => {
  it.each<[string, readonly string[], PolicyBand['groups'], string, readonly number[]]>([
    ['needs each group', ['F', 'F'], [finance(1), legal(1)], 'F', [1, 0]],
    ['moves a person who fits two groups to where the request is completed', ['FL', 'F'], [finance(1), legal(1)], 'FL F', [1, 1]],
    ['moves persons along a chain', ['FL', 'FL', 'F', 'F'], [finance(3), legal(1)], 'FL FL F F', [3, 1]],
    ['counts no person twice', ['FL'], [finance(1), legal(1)], 'FL', [1, 0]],
    ['keeps the earliest', ['F1', 'F2', 'F3'], [finance(2)], 'F1 F2', [2]],
    ['leaves out who fits no free place', ['F1', 'F2', 'L'], [finance(1), legal(1)], 'F1 L', [1, 1]],
    ['needs nobody', ['F'], 'none', '', []],
  ])('%s', (_, people, groups, names, approvals) => {
    const holds = (person: string, permission: string) => person.includes(permission.charAt(0).toUpperCase())
    const filled = fillGroups(people, { groups }, holds)
    expect(filled.counted.join(' ')).toBe(names)
    expect(filled.groups).toStrictEqual(
      groups === 'none' ? [] : groups.map((group, at) => ({ ...group, approvals: approvals[at] })),
    )
  })

  it.each<[PolicyBand, PolicyBand, boolean]>([
    [{ groups: [finance(1)] }, { groups: [finance(2)] }, false],
    [{ groups: [finance(2)] }, { groups: [finance(2)] }, false],
    [{ groups: [finance(3)] }, { groups: [finance(2)] }, true],
    [{ groups: [legal(1)] }, { groups: [finance(2)] }, true],
    [{ groups: [finance(1), legal(1)] }, { groups: [finance(2)] }, true],
    [{ groups: 'none' }, { groups: [finance(2)] }, false],
    [{ groups: [finance(1)] }, { groups: 'none' }, true],
    [{ groups: 'none', reasonRequired: true }, { groups: 'none' }, true],
    [{ groups: 'none', approver: 'device' }, { groups: 'none' }, false],
    [{ groups: [finance(1)], approver: 'device' }, { groups: [finance(1)] }, true],
    [{ groups: [finance(1)] }, { groups: [finance(1)], approver: 'device', reasonRequired: true }, false],
  ])('%j ask for more than %j: %s', (band, signed, more) => {
    expect(asksForMore(band, signed)).toBe(more)
  })
})

describe('a policy of bands', () => {
  it('is signed with its version, band and digest, and needs all of its groups', async () => {
    const { set, start, approves, redeem, read, countersign, people } = await given(
      ['finance.approve', 'legal.approve'],
      ['finance.*'],
      ['finance.approve'],
    )
    const { changed: _, ...policy } = await set({ actionType, bands })
    const action = payment(60_000)
    await expect(start(action)).rejects.toThrow(Invalid)
    const { id, count, groups } = await start(action, { reason: 'rent' })
    expect(count).toBe(3)
    const filled = (ofFinance: number, ofLegal: number) => [
      { ...finance(2), approvals: ofFinance },
      { ...legal(1), approvals: ofLegal },
    ]
    expect(groups).toStrictEqual(filled(0, 0))
    const [shown] = await countersign.confirmations.pending({ caller: (people[0] as DeviceUser).mobile.caller })
    const signed = signedPolicy(policy, 2)
    expect(JSON.parse(shown?.statementText ?? '')).toMatchObject({ approval: { policy: signed, count: 3 } })
    await approves(0, 1)
    await expect(redeem(id, signed, action)).rejects.toThrow(ApprovalNotApproved)
    expect(await read(id)).toMatchObject({ status: 'pending', approvals: 2, groups: filled(2, 0) })
    await approves(2)
    expect(await read(id)).toMatchObject({ status: 'approved', approvals: 3, groups: filled(2, 1) })
    for (const stated of [finance(2), { groups: [finance(2)] }, { groups: 'none' }, { digest: 'A'.repeat(43) }]) {
      await expect(redeem(id, stated, action)).rejects.toThrow(OtherPolicy)
    }
    for (const stated of [{}, { ...finance(2), ...signed }, { count: 2 }, { permission: 'finance.approve' }]) {
      await expect(redeem(id, stated, action)).rejects.toThrow(Invalid)
    }
    const { receipts } = await redeem(id, { groups: [legal(1), finance(2)] }, action)
    expect(receipts).toHaveLength(3)
    expect(await read(id)).toMatchObject({ status: 'redeemed', approvals: 3, groups: filled(2, 1) })
  })

  it('says which group still lacks approvals, also when another group has more than it needs', async () => {
    const { set, start, approves, read } = await given(['finance.approve'], ['finance.approve'], ['legal.approve'])
    await set(one([finance(1), legal(1)]))
    const { id } = await start()
    await approves(0, 1)
    const groups = [
      { ...finance(1), approvals: 1 },
      { ...legal(1), approvals: 0 },
    ]
    expect(await read(id)).toMatchObject({ status: 'pending', approvals: 2, count: 2, groups })
  })

  it('that needs nobody makes requests that are approved at once and redeemed once, for their operation only', async () => {
    const { set, countersign, redeem, read, test } = await given()
    await set({ actionType, bands })
    const { caller } = (await aUserWith(test, [])).web
    const asked = { ...payment(10), operation: 'bank.pay', caller } as const
    const { id, ...view } = await countersign.approvalRequests.start(asked)
    expect(view).toMatchObject({ status: 'approved', approvals: 0, count: 0, groups: [] })
    expect(await countersign.approvalRequests.read({ approvalId: id, caller })).toMatchObject({ status: 'approved', count: 0 })
    await expect(redeem(id, { groups: 'none' })).rejects.toThrow('another action')
    await expect(redeem(id, { ...finance(1), operation: 'bank.pay' })).rejects.toThrow(OtherPolicy)
    expect(await redeem(id, { groups: 'none', operation: 'bank.pay' })).toMatchObject({ count: 0, receipts: [] })
    await expect(redeem(id, { groups: 'none', operation: 'bank.pay' })).rejects.toThrow(ApprovalRedeemed)
    await expect(read(id)).rejects.toThrow('not found')
  })

  it('is refused at the start if one person would have to count in two groups', async () => {
    const { set, start } = await given(['finance.approve', 'legal.approve'], ['finance.read'])
    await set(one([finance(1), legal(1)]))
    await expect(start()).rejects.toThrow(TooFewApprovers)
  })

  it('determines the lifetime of its requests', async () => {
    const { set, start, approves, redeem, test } = await given(['finance.approve'])
    await set(one([finance(1)], { expiresIn: 60 }))
    const { id, expiresAt } = await start()
    expect(expiresAt).toBe(test.clock.now() + 60_000)
    await approves(0)
    test.clock.advance(60_000)
    await expect(redeem(id, finance(1))).rejects.toThrow(ApprovalExpired)
    await set(one([finance(1)], { expiresIn: 30 * 86_400 }))
    expect((await start()).expiresAt).toBe(test.clock.now() + days(30))
  })
})

describe('a change of the policy', () => {
  const changes: readonly [string, object, object][] = [
    ['more approvals', one([finance(2)]), {}],
    ['another group', one([legal(1)]), {}],
    ['a reason', one([finance(1)], { reasonRequired: true }), {}],
    ['a device', one([finance(1)], { approver: 'device' }), {}],
    ['a stricter band', { actionType, bands: [{ when: upTo(9), groups: 'none' }, { groups: [finance(2)] }] }, {}],
  ]
  it.each(changes)('to %s ends open requests, whatever policy the caller states', async (_, next) => {
    const { set, start, approves, redeem, read } = await given(['finance.approve', 'legal.approve'], ['finance.approve'])
    await set(one([finance(1)]))
    const { id } = await start()
    await approves(0)
    await set(next as Parameters<typeof set>[0])
    expect(await read(id)).toMatchObject({ status: 'expired' })
    await expect(redeem(id, finance(1))).rejects.toThrow(PolicyChanged)
    await expect(redeem(id, finance(2))).rejects.toThrow(PolicyChanged)
  })

  it('to fewer approvals makes no open request redeemable', async () => {
    const { set, start, approves, redeem } = await given(['finance.approve'], ['finance.approve'])
    await set(one([finance(2)]))
    const { id } = await start()
    await approves(0)
    for (const next of [one([finance(1)]), one('none')]) {
      await set(next)
      await expect(redeem(id, finance(2))).rejects.toThrow(ApprovalNotApproved)
      await expect(redeem(id, finance(1))).rejects.toThrow(OtherPolicy)
    }
    await approves(1)
    expect((await redeem(id, finance(2))).receipts).toHaveLength(2)
  })

  it('to a shorter lifetime ends older requests, and a removal ends all', async () => {
    const { set, start, approves, redeem, countersign, test } = await given(['finance.approve'])
    await set(one([finance(1)]))
    const { id } = await start()
    await approves(0)
    await set(one([finance(1)], { expiresIn: 60 }))
    expect(await countersign.approvalRequests.readForService({ approvalId: id, service })).toMatchObject({ status: 'approved' })
    test.clock.advance(60_000)
    await expect(redeem(id, finance(1))).rejects.toThrow(PolicyChanged)
    await set(one([finance(1)]))
    await countersign.actionPolicies.remove({ actionType })
    await expect(redeem(id, finance(1))).rejects.toThrow(PolicyChanged)
  })

  it('to other labels keeps the version and the digest, so that open requests are redeemed as before', async () => {
    const { test, set, start, approves, redeem, read } = await given(['finance.approve'])
    const policy = (label?: Record<string, string>) => one([{ ...finance(1), ...(label && { label }) }])
    const first = await set(policy())
    const { id } = await start()
    await approves(0)
    const second = await set(policy({ en: 'Finance', de: 'Buchhaltung' }))
    expect([second.changed, second.version]).toStrictEqual([true, first.version])
    expect(signedPolicy(second, 0)).toStrictEqual(signedPolicy(first, 0))
    await redeem(id, { digest: signedPolicy(second, 0).digest })
    const later = await start()
    expect((await read(later.id)).groups).toMatchObject([{ label: { en: 'Finance', de: 'Buchhaltung' } }])
    expect(await set({ actionType, ...finance(2), label: { en: 'Finance' } })).toMatchObject({ version: first.version + 1 })
    await expect(set(policy({ en: ' ' }))).rejects.toThrow(Invalid)
    await expect(set(policy({}))).rejects.toThrow(Invalid)
    expect(await test.countersign.actionPolicies.show({ actionType })).toMatchObject({ version: first.version + 1 })
  })

  it('raises the version; a policy in one tenant has a version of its own, and precedence over the one without a tenant', async () => {
    const { countersign, set } = await given()
    expect(await set(one([finance(1)]))).toMatchObject({ version: 1, changed: true })
    expect(await set(one([finance(1)]))).toMatchObject({ version: 1, changed: false })
    expect(await set(one([finance(2)]))).toMatchObject({ version: 2 })
    expect(await set({ ...one('none'), tenant: 'acme' })).toMatchObject({ version: 1, tenant: 'acme' })
    expect(await countersign.actionPolicies.show({ actionType, tenant: 'acme' })).toMatchObject({ bands: [{ groups: 'none' }] })
    expect(await countersign.actionPolicies.show({ actionType, tenant: 'beta' })).toMatchObject({ version: 2, tenant: null })
    expect(await countersign.actionPolicies.list()).toHaveLength(2)
  })
})

describe('a policy is refused', () => {
  const last = { groups: [finance(1)] }
  it.each<[string, unknown]>([
    ['without a band', []],
    ['with an empty list of groups', [{ groups: [] }]],
    ['with a count of zero', [{ groups: [finance(0)] }]],
    ['with a permission twice', [{ groups: [finance(1), finance(1)] }]],
    ['with more than 20 approvals', [{ groups: [finance(20), legal(1)] }]],
    ['with a wildcard', [{ groups: [{ permission: 'finance.*', count: 1 }] }]],
    ['with a tenant in a permission', [{ groups: [{ permission: 'finance.approve@acme', count: 1 }] }]],
    ['with a condition on the last band', [{ when: upTo(1), groups: 'none' }]],
    ['with a band before the last one without a condition', [{ groups: 'none' }, last]],
    ['with a keyword that action types do not have', [{ when: { not: {} }, groups: 'none' }, last]],
    ['with a maximum that text passes', [{ when: { properties: { amount: { maximum: 1 } } }, groups: 'none' }, last]],
    [
      'with a pattern that does not compile',
      [{ when: { properties: { a: { type: 'string', pattern: '(' } } }, groups: 'none' }, last],
    ],
    ['with an unknown member', [{ ...last, approvers: 2 }]],
    ['with no time', [{ ...last, expiresIn: 0 }]],
    ['with more than 30 days', [{ ...last, expiresIn: 30 * 86_400 + 1 }]],
    ['with another approver', [{ ...last, approver: 'passkey' }]],
    ['with more than 20 bands', [...Array.from({ length: 20 }, (_, at) => ({ when: upTo(at), groups: 'none' })), last]],
  ])('%s', async (_, refused) => {
    const { countersign } = await createTestCountersign()
    const set = countersign.actionPolicies.set({ actionType, bands: refused as PolicyBand[] })
    await expect(set).rejects.toThrow(Invalid)
    expect(await countersign.actionPolicies.list()).toStrictEqual([])
  })

  it.each([
    ['a permission', { permission: 'finance.approve' }, 'count'],
    ['a count', { count: 2 }, 'permission'],
    ['bands and a permission', { bands: one('none').bands, permission: 'finance.approve' }, 'bands'],
    ['bands and a count', { bands: one('none').bands, count: 2 }, 'bands'],
    ['bands and a label', { bands: one('none').bands, label: { en: 'Finance' } }, 'bands'],
    ['nothing', {}, 'bands'],
  ])('with only %s, and the error names the missing or surplus member', async (_, given, member) => {
    const { countersign } = await createTestCountersign()
    const fields = { [member]: expect.stringContaining('must be given') }
    await expect(countersign.actionPolicies.set({ actionType, ...given } as never)).rejects.toMatchObject({ fields })
  })

  it('with a pattern that does not compile, also where weaker bands are allowed, and the error names the band', async () => {
    const { countersign } = await createTestCountersign()
    const when = { properties: { a: { type: 'string', pattern: '(' } }, required: ['a'] }
    const set = countersign.actionPolicies.set({ actionType, bands: [{ when, groups: 'none' }, last], allowWeaker: true })
    await expect(set).rejects.toMatchObject({ fields: { 'bands[0].when': expect.any(String) } })
  })

  it('with more than 16 KiB in all its bands', async () => {
    const { countersign } = await createTestCountersign()
    const values = (size: number) => Array.from({ length: size }, (_, at) => `supplier ${at} ${'x'.repeat(80)}`)
    const setWith = (size: number) => {
      const when = { properties: { recipient: { type: 'string', enum: values(size) } }, required: ['recipient'] }
      const list = [1, 2].map(() => ({ when, groups: [finance(1)] }))
      return countersign.actionPolicies.set({ actionType, bands: [...list, last], allowWeaker: true })
    }
    await expect(setWith(85)).rejects.toMatchObject({ fields: { bands: 'must have at most 16384 bytes' } })
    await expect(setWith(70)).resolves.toMatchObject({ changed: true })
  })

  it('for the action type `test`, because the command line uses this word', async () => {
    const { countersign } = await createTestCountersign()
    await expect(countersign.actionPolicies.set({ ...one('none'), actionType: 'test' })).rejects.toThrow(Invalid)
    const options = { approvalPolicies: { test: { bands: [last] } } }
    await expect(createTestCountersign({ options })).rejects.toThrow(RangeError)
  })
})

it('a policy of the host takes precedence over the stored policies of the type, with its own version', async () => {
  const approvalPolicies = { [actionType]: { version: 7, bands }, [`${actionType}@acme`]: finance(2) }
  const { countersign } = await createTestCountersign({ options: { approvalPolicies } })
  await countersign.actionPolicies.set({ ...one('none'), tenant: 'acme' })
  await countersign.actionPolicies.set({ ...one('none'), tenant: 'beta' })
  expect(await countersign.actionPolicies.show({ actionType, tenant: 'beta' })).toMatchObject({ version: 7, tenant: null, bands })
  expect(await countersign.actionPolicies.show({ actionType, tenant: 'acme' })).toMatchObject({ version: 1, tenant: 'acme' })
  expect((await countersign.actionPolicies.list()).map(({ tenant, version }) => [tenant, version])).toStrictEqual([
    [null, 7],
    ['acme', 1],
  ])
})

it('a policy of the host for one tenant leaves the stored policies of other tenants and types in force', async () => {
  const { countersign } = await createTestCountersign({
    options: { approvalPolicies: { [`${actionType}@acme`]: finance(2), 'wire_transfer@beta': legal(1) } },
  })
  for (const place of [{ tenant: 'acme' }, { tenant: 'beta' }, {}, { actionType: 'wire_transfer' }]) {
    await countersign.actionPolicies.set({ ...one([finance(1)]), ...place })
  }
  const listed = (await countersign.actionPolicies.list()).map(({ actionType: type, tenant, bands: [band] }) => [
    type,
    tenant,
    band,
  ])
  expect(listed).toStrictEqual([
    [actionType, null, { groups: [finance(1)] }],
    [actionType, 'acme', { groups: [finance(2)] }],
    [actionType, 'beta', { groups: [finance(1)] }],
    ['wire_transfer', null, { groups: [finance(1)] }],
    ['wire_transfer', 'beta', { groups: [legal(1)] }],
  ])
})
