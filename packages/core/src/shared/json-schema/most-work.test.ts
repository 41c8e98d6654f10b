import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkNewSchema } from './check-new-schema.ts'
import { compileChoice } from './compile-schema.ts'
import { canTakeTooMuchWork } from './most-work.ts'

const BYTES = 4096
const ofMembers = (properties: object) => checkNewSchema(JSON.stringify({ type: 'object', properties }))
const list = (items: object) => ({ a: { type: 'array', items } })

describe('the most work of a schema', () => {
  it.each<[string, object, boolean]>([
    ['an amount and a currency', { amount: { type: 'number', maximum: 1000 }, currency: { const: 'EUR' } }, false],
    ['the length of a text', { a: { type: 'string', maxLength: 20 } }, false],
    ['a pattern of one letter', { a: { type: 'string', pattern: 'x' } }, false],
    ['a list of texts', list({ type: 'string', maxLength: 20 }), false],
    ['a pattern of two names', { a: { type: 'string', pattern: 'supplier-1|supplier-2' } }, true],
    ['a list of texts with a pattern', list({ type: 'string', pattern: '^supplier-[0-9]+$' }), true],
    ['a list of long lists of constants', list({ enum: Array.from({ length: 1500 }, (_, at) => [at]) }), true],
    ['numbers of many digits', list({ type: 'number', multipleOf: 0.01 }), true],
  ])('is counted for %s', (_, properties, expected) => {
    expect(canTakeTooMuchWork(ofMembers(properties), BYTES)).toBe(expected)
  })

  const scalar = fc.constantFrom<object>(
    ...[{ type: 'string', pattern: '[ab]c' }, { type: 'string', maxLength: 3 }, { const: { b: [1] } }],
    ...[{ type: 'number', multipleOf: 0.01 }, { enum: ['a', 'ab', [1], { a: 1 }] }, { type: 'integer', minimum: 2 }],
  )
  const { member } = fc.letrec<{ member: object }>((tie) => ({
    member: fc.oneof(
      { maxDepth: 3 },
      scalar,
      fc.record({ type: fc.constant('array'), items: tie('member'), uniqueItems: fc.boolean() }),
      fc.record({ type: fc.constant('object'), additionalProperties: tie('member') }),
      fc.record({ type: fc.constant('object'), properties: fc.record({ a: tie('member'), b: tie('member') }) }),
    ),
  }))
  const unit = fc.oneof(
    fc.constantFrom('a', 'abc', 1, 1e300, {}, []),
    fc.json({ maxDepth: 2 }).map((text) => JSON.parse(text)),
  )
  /** A value of at most 4 KB that repeats one value, as items or as members, up to that length. */
  const large = fc.tuple(unit, fc.boolean(), fc.integer({ min: 0, max: 3 })).map(([one, isList, depth]) => {
    const count = Math.max(1, Math.floor((BYTES - 60) / (JSON.stringify(one).length + (isList ? 1 : 8))))
    const value: unknown = isList
      ? Array.from({ length: count }, () => one)
      : Object.fromEntries(Array.from({ length: count }, (_, at) => [at.toString(36), one]))
    return Array.from({ length: depth }).reduce<unknown>((inner, _, at) => (at % 2 === 0 ? { a: inner } : [inner]), value)
  })

  it('is an upper bound of the work for every value', () => {
    fc.assert(
      fc.property(member, large, (a, value) => {
        const checked = ofMembers({ a })
        fc.pre(!canTakeTooMuchWork(checked, BYTES))
        expect(compileChoice(checked)({ a: value })).toBeDefined()
      }),
    )
  })
})
