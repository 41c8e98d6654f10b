import { createTestCountersign } from '@countersign/storage-sqlite/testing'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { signInNewDeviceUser } from '../../testing/sign-in.ts'
import { wireTransferDefinition, wireTransferPayload } from '../../testing/wire-transfer.ts'
import { type DefinedPayload, defineActionType } from './define-action-type.ts'

const wireTransfer = defineActionType({ type: 'wire_transfer', version: '1.0.0', ...wireTransferDefinition })
const key = 'action_schema:wire_transfer:v1.0.0'
const taken = { code: 'action_type_taken' }

describe('a defined action type', () => {
  it('is registered once, at the first of many starts, and then asks for approvals', async () => {
    const test = await createTestCountersign()
    const { ensure, list } = test.countersign.actionTypes
    const first = await ensure(wireTransfer)
    expect(first).toMatchObject({ key, version: '1.0.0', active: true })
    expect(await Promise.all([ensure(wireTransfer), ensure(wireTransfer)])).toStrictEqual([first, first])
    expect(await list()).toStrictEqual({ version: 1, actionTypes: [first] })
    const { web } = await signInNewDeviceUser(test)
    const action = { actionType: wireTransfer.type, actionPayload: wireTransferPayload }
    expect(await test.countersign.confirmations.initiate({ caller: web.caller, ...action })).toHaveProperty('challenge')
  })

  it('is registered once by servers that start at the same moment', async () => {
    const { countersign } = await createTestCountersign()
    const { ensure, list } = countersign.actionTypes
    await Promise.all(Array.from({ length: 5 }, () => ensure(wireTransfer)))
    expect((await list()).version).toBe(1)
  })

  it('is the version that the command registered from a file, whatever the order of its members', async () => {
    const { countersign } = await createTestCountersign()
    const { schema, display } = wireTransferDefinition
    const definitionText = JSON.stringify({ display, schema: Object.fromEntries(Object.entries(schema).reverse()) }, null, 2)
    await countersign.actionTypes.register({ type: 'wire_transfer', version: '1.0.0', definitionText })
    expect(await countersign.actionTypes.ensure(wireTransfer)).toMatchObject({ key })
  })

  it('is refused with another schema, display or title under a version that is registered', async () => {
    const { countersign } = await createTestCountersign()
    const { ensure } = countersign.actionTypes
    await ensure(wireTransfer)
    const { schema, display } = wireTransfer
    const others = [
      { schema: { ...schema, required: ['amount'] } },
      { display: { ...display, title: { en: 'Transfer', de: 'Überweisung' } } },
      { display: { ...display, lines: display.lines.toReversed() } },
      { title: 'Transfer' },
    ]
    for (const other of others) await expect(ensure({ ...wireTransfer, ...other })).rejects.toMatchObject(taken)
  })

  it('is refused if it would refuse what the active version accepts, unless it allows that', async () => {
    const { countersign } = await createTestCountersign()
    const { ensure } = countersign.actionTypes
    await ensure(wireTransfer)
    const narrower = { ...wireTransfer, version: '2.0.0', schema: { ...wireTransfer.schema, required: ['amount', 'date'] } }
    await expect(ensure(narrower)).rejects.toMatchObject({ code: 'action_type_breaks' })
    await expect(ensure({ ...narrower, allowBreaking: true })).resolves.toMatchObject({ version: '2.0.0' })
  })

  it('stays inactive after an operator deactivated it', async () => {
    const { countersign } = await createTestCountersign()
    const { ensure, deactivate } = countersign.actionTypes
    await ensure(wireTransfer)
    await deactivate({ key })
    expect(await ensure(wireTransfer)).toMatchObject({ active: false })
  })
})

describe('the payload of a defined action type', () => {
  const display = { title: { en: 'x' }, lines: [] }

  it('has the members of the schema, and only the required ones must be given', () => {
    expectTypeOf<DefinedPayload<typeof wireTransfer>>().toEqualTypeOf<{
      readonly amount: number
      readonly currency: string
      readonly to: { readonly name: string; readonly account?: string }
      readonly date?: string
      readonly invoices?: readonly string[]
      readonly express?: boolean
    }>()
  })

  it('has the values of enum and const, and no member without properties', () => {
    const properties = { kind: { type: 'string', enum: ['a', 'b'] }, copies: { type: 'integer', const: 2 } } as const
    const schema = { type: 'object', additionalProperties: false, required: ['kind'], properties } as const
    const chosen = defineActionType({ type: 'chosen', version: '1.0.0', schema, display })
    expectTypeOf<DefinedPayload<typeof chosen>>().toEqualTypeOf<{ readonly kind: 'a' | 'b'; readonly copies?: 2 }>()
    const empty = defineActionType({
      type: 'empty',
      version: '1.0.0',
      schema: { type: 'object', additionalProperties: false },
      display,
    })
    expectTypeOf<keyof DefinedPayload<typeof empty>>().toBeNever()
  })

  it('is a compile error for an open object, and for a type that no line can show', () => {
    const version = { type: 'x', version: '1.0.0', display }
    // @ts-expect-error the object accepts members that no line shows
    defineActionType({ ...version, schema: { type: 'object', properties: { a: { type: 'string' } } } })
    const properties = { a: { type: 'null' } }
    // @ts-expect-error a line cannot show null
    defineActionType({ ...version, schema: { type: 'object', additionalProperties: false, properties } })
  })
})
