import { createTestCountersign } from '@countersign/storage-sqlite/testing'
import { describe, expect, it } from 'vitest'
import { Invalid } from '../../shared/errors.ts'
import type { PolicyBand } from '../records/action-policy.ts'

const actionType = 'payment_approval'
const finance = (count: number) => ({ permission: 'finance.approve', count }) as const
const legal = { permission: 'legal.approve', count: 1 } as const
const amount = { type: 'number', maximum: 1000 }
const small = { properties: { amount, currency: { const: 'EUR' } }, required: ['amount', 'currency'] }
const ofSmall = (groups: PolicyBand['groups']): PolicyBand => ({ when: small, groups })
const two: PolicyBand = { groups: [finance(2)] }

const none = { bandsAboveLast: [], bandsForEverything: [] }

describe('a policy whose last band is not the strictest', () => {
  it.each<[string, readonly PolicyBand[], object]>([
    ['nobody in the last band', [ofSmall([finance(1)]), { groups: 'none' }], { bandsAboveLast: [0] }],
    ['fewer in the last band', [ofSmall([finance(2), legal]), two], { bandsAboveLast: [0] }],
    ['fewer than one of two', [ofSmall('none'), ofSmall([finance(3)]), two], { bandsAboveLast: [1] }],
    ['an empty condition', [{ when: {}, groups: 'none' }, two], { bandsForEverything: [0] }],
    ['only a type', [{ when: { type: 'object' }, groups: 'none' }, two], { bandsForEverything: [0] }],
    ['only a title', [{ when: { title: 'small' }, groups: 'none' }, two], { bandsForEverything: [0] }],
    [
      'members without a condition',
      [{ when: { properties: { amount: {}, currency: true }, required: [], additionalProperties: true }, groups: 'none' }, two],
      { bandsForEverything: [0] },
    ],
  ])('is refused for %s, unless weaker policies are allowed', async (_, bands, expected) => {
    const { countersign } = await createTestCountersign()
    const { set, dryRun, list, test } = countersign.actionPolicies
    for (const refused of [set({ actionType, bands }), dryRun({ actionType, bands, allowWeaker: false })]) {
      await expect(refused).rejects.toThrow(Invalid)
      await expect(refused).rejects.toThrow('allowWeaker')
    }
    expect(await list()).toStrictEqual([])
    const options = (more: object) => ({ options: { approvalPolicies: { [actionType]: { bands, ...more } } } })
    await expect(createTestCountersign(options({}))).rejects.toThrow(RangeError)
    await expect(createTestCountersign(options({ allowWeaker: true }))).resolves.toBeDefined()

    const warnings = { ...none, ...expected }
    expect(await dryRun({ actionType, bands, allowWeaker: true })).toMatchObject(warnings)
    expect(await set({ actionType, bands, allowWeaker: true })).toMatchObject({ ...warnings, changed: true })
    expect(await test({ actionType, actionPayload: {} })).toMatchObject(warnings)
  })

  it('is refused with an error that names each weak band', async () => {
    const { countersign } = await createTestCountersign()
    const bands: readonly PolicyBand[] = [{ when: {}, groups: [finance(3)] }, ofSmall([finance(1)]), two]
    await expect(countersign.actionPolicies.set({ actionType, bands })).rejects.toMatchObject({
      fields: {
        'bands[0].when': expect.stringContaining('must refuse some payloads'),
        'bands[2].groups': expect.stringContaining('must ask for as many approvals as each earlier band'),
      },
    })
  })

  it.each<[string, readonly PolicyBand[]]>([
    ['as many as an earlier band', [ofSmall([finance(1), legal]), two]],
    ['a refused value', [{ when: { properties: { amount } }, groups: 'none' }, two]],
    ['a member that must be an object', [{ when: { properties: { payee: { type: 'object' } } }, groups: 'none' }, two]],
    ['a required member', [{ when: { required: ['amount'] }, groups: 'none' }, two]],
    ['no further members', [{ when: { additionalProperties: false }, groups: 'none' }, two]],
    ['one band', [two]],
  ])('is not the result of %s', async (_, bands) => {
    const { countersign } = await createTestCountersign()
    expect(await countersign.actionPolicies.set({ actionType, bands })).toMatchObject(none)
  })
})
