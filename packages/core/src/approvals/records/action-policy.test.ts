import { createTestCountersign } from '@countersign/storage-sqlite/testing'
import { beforeAll, describe, expect, it } from 'vitest'
import { Invalid } from '../../shared/errors.ts'
import type { PolicyBand } from './action-policy.ts'

const actionType = 'payment_approval'
const finance = (count: number) => ({ permission: 'finance.approve', count }) as const
const legal = (count: number) => ({ permission: 'legal.approve', count }) as const
const last: PolicyBand = { groups: [finance(1)] }

let set: (bands: readonly PolicyBand[]) => Promise<object>
beforeAll(async () => {
  const { actionPolicies } = (await createTestCountersign()).countersign
  set = (bands) => actionPolicies.set({ actionType, bands, allowWeaker: true })
})

const complaintsAbout = async (bands: readonly unknown[]): Promise<Readonly<Record<string, string>>> => {
  const outcome = await set(bands as PolicyBand[]).catch((error: unknown) => error)
  if (!(outcome instanceof Invalid)) throw new Error(`stored: ${JSON.stringify(bands)}`)
  return outcome.fields
}

describe('a policy', () => {
  const groups = (...list: Exclude<PolicyBand['groups'], 'none'>) => [{ groups: list }]
  const expiring = (expiresIn: number) => [{ ...last, expiresIn }]
  const several = (count: number) => [...Array.from({ length: count - 1 }, () => ({ ...last, when: { required: ['a'] } })), last]
  /** Bands that have exactly this many bytes as JSON. */
  const ofBytes = (bytes: number) => {
    const withTitle = (title: string): readonly PolicyBand[] => [{ ...last, when: { title, required: ['a'] } }, last]
    return withTitle('x'.repeat(bytes - Buffer.byteLength(JSON.stringify(withTitle('')))))
  }

  it.each<[string, (size: number) => readonly PolicyBand[], number, number, string]>([
    ['a lifetime of at least 1 second', expiring, 1, 0, 'bands[0].expiresIn'],
    ['a lifetime of at most 30 days', expiring, 2_592_000, 2_592_001, 'bands[0].expiresIn'],
    ['at least 1 approval of a group', (count) => groups(finance(count)), 1, 0, 'bands[0].groups'],
    ['at most 20 approvals of a group', (count) => groups(finance(count)), 20, 21, 'bands[0].groups'],
    ['at most 20 approvals of all groups', (count) => groups(finance(count - 5), legal(5)), 20, 21, 'bands[0].groups'],
    ['at most 20 bands', several, 20, 21, 'bands'],
    ['at most 16 KiB', ofBytes, 16_384, 16_385, 'bands'],
  ])('has %s', async (_, bandsOf, accepted, refused, field) => {
    await expect(set(bandsOf(accepted))).resolves.toMatchObject({ bands: bandsOf(accepted) })
    expect(Object.keys(await complaintsAbout(bandsOf(refused)))).toContainEqual(expect.stringContaining(field))
  })

  it('in an option has a version from 1', async () => {
    const withVersion = (version: number) =>
      createTestCountersign({ options: { approvalPolicies: { [actionType]: { version, bands: [last] } } } })
    const { countersign } = await withVersion(1)
    expect(await countersign.actionPolicies.show({ actionType })).toMatchObject({ version: 1 })
    await expect(withVersion(0)).rejects.toThrow(RangeError)
  })

  it('has a condition on each band except the last, and the refusal says which band is wrong', async () => {
    const when = { required: ['amount'] }
    expect(await complaintsAbout([{ ...last, when }])).toStrictEqual({
      'bands[0].when': 'must be absent: the last band applies to all other payloads',
    })
    expect(await complaintsAbout([{ ...last, when }, last, last])).toStrictEqual({ 'bands[1].when': 'must be a schema' })
  })
})

describe('the condition of a band', () => {
  const accepts = (type: string, pointer: string, keyword: string) =>
    `must have type ${type} at ${pointer}: without it, ${keyword} accepts every value of another type`
  const ofPayee = (payee: unknown) => ({ properties: { payee } })

  it.each([
    [{ not: {} }, 'must not use not at /'],
    [ofPayee({ anyOf: [] }), 'must not use anyOf at /payee'],
    [{ maximum: 1 }, accepts('number', '/', 'maximum')],
    [ofPayee({ maximum: 1 }), accepts('number', '/payee', 'maximum')],
    [ofPayee({ type: 'integer', maxLength: 1 }), accepts('string', '/payee', 'maxLength')],
    [ofPayee({ required: ['iban'] }), accepts('object', '/payee', 'required')],
    [
      ofPayee({ type: 'object', properties: { a: true, iban: { maxLength: 1 }, b: {} } }),
      accepts('string', '/payee/iban', 'maxLength'),
    ],
    [ofPayee(7), 'must have a schema at /payee'],
    [ofPayee({ type: 'array', items: [] }), 'must have a schema at /payee/items'],
    [{ additionalProperties: null }, 'must have a schema at /additionalProperties'],
    [{ properties: [] }, 'must have an object of schemas as properties at /'],
  ])('is refused, with the place and the reason: %j', async (when, complaint) => {
    expect(await complaintsAbout([{ groups: 'none', when }, last])).toStrictEqual({ 'bands[0].when': complaint })
  })

  it.each([
    { properties: { amount: { type: 'integer', maximum: 5 }, rate: { type: 'number', maximum: 5 } }, required: ['amount'] },
    { title: 'small', properties: { amount: false, payee: { type: 'object', required: ['iban'] } } },
    { type: 'object', additionalProperties: { const: 1 } },
  ])('is accepted: %j', async (when) => {
    await expect(set([{ groups: 'none', when }, last])).resolves.toMatchObject({ bandsForEverything: [] })
  })

  it.each([
    [{ minProperties: 0 }, [0]],
    [{ minProperties: 1 }, []],
    [{ maxProperties: 0 }, []],
  ])('that only counts members, %j, makes these bands accept every payload: %j', async (when, bandsForEverything) => {
    await expect(set([{ groups: 'none', when }, last])).resolves.toMatchObject({ bandsForEverything })
  })
})
