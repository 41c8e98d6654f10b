import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Schema, SchemaObject } from '../../draft-07.ts'
import { checkSchema } from '../check-schema.ts'
import { compileSchema } from '../compile-schema.ts'
import { SchemaRefused } from '../schema-refused.ts'
import { breakingChanges } from './breaking-changes.ts'

/** Few names, numbers and texts, so that random values often match random schemas. */
const names = ['a', 'b', 'c', 'ab'] as const
const scalar = fc.constantFrom<unknown>(null, true, false, 0, 1, 2, 3, -1, 0.5, 1.5, 6, '', 'a', 'ab', 'abc', 'b', 'zz')

const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    { arbitrary: scalar, weight: 4 },
    { arbitrary: fc.array(tie('value'), { maxLength: 3 }), weight: 2 },
    { arbitrary: fc.dictionary(fc.constantFrom(...names), tie('value'), { maxKeys: 4 }), weight: 3 },
  ),
}))

const number = fc.constantFrom(0, 1, 2, 3, -1, 0.5, 1.5)
const count = fc.constantFrom(0, 1, 2, 3)
const type = fc.constantFrom<unknown>(
  'string',
  'number',
  'integer',
  'object',
  'array',
  'null',
  'boolean',
  ['string', 'null'],
  ['object', 'array'],
  ['integer', 'string'],
)
const someNames = fc.uniqueArray(fc.constantFrom(...names), { maxLength: 3 })
const someValues = fc.uniqueArray(scalar, { minLength: 1, maxLength: 3 })

const assertion = fc.oneof(
  type.map((it) => ['type', it] as const),
  someValues.map((it) => ['enum', it] as const),
  value.map((it) => ['const', it] as const),
  fc.tuple(fc.constantFrom('minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'), number),
  fc.constantFrom(1, 2, 3, 6, 0.5, 1.5).map((it) => ['multipleOf', it] as const),
  fc.tuple(fc.constantFrom('minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'), count),
  fc.constantFrom('^a', 'b$', '^[a-z]*$').map((it) => ['pattern', it] as const),
  fc.boolean().map((it) => ['uniqueItems', it] as const),
  someNames.map((it) => ['required', it] as const),
)

const { schema } = fc.letrec<{ schema: Schema; object: SchemaObject }>((tie) => {
  const inner = tie('schema')
  const list = fc.array(inner, { minLength: 1, maxLength: 2 })
  const named = fc.dictionary(fc.constantFrom(...names), inner, { maxKeys: 3 })
  const holder = fc.oneof(
    named.map((it) => ['properties', it] as const),
    fc.dictionary(fc.constantFrom('^a', 'b$'), inner, { maxKeys: 2 }).map((it) => ['patternProperties', it] as const),
    fc.tuple(
      fc.constantFrom('additionalProperties', 'propertyNames', 'additionalItems', 'contains', 'not', 'if', 'then', 'else'),
      inner,
    ),
    fc.oneof(inner, list).map((it) => ['items', it] as const),
    fc
      .dictionary(fc.constantFrom(...names), fc.oneof(someNames, inner), { maxKeys: 2 })
      .map((it) => ['dependencies', it] as const),
    fc.tuple(fc.constantFrom('allOf', 'anyOf', 'oneOf'), list),
  )
  return {
    schema: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      { arbitrary: fc.boolean(), weight: 1 },
      { arbitrary: fc.array(assertion, { minLength: 1, maxLength: 2 }).map((entries) => Object.fromEntries(entries)), weight: 6 },
      { arbitrary: fc.constantFrom({ $ref: '#' }, { $ref: '#/definitions/d' }), weight: 1 },
      { arbitrary: tie('object'), weight: 8 },
    ),
    object: fc
      .array(fc.oneof({ arbitrary: assertion, weight: 1 }, { arbitrary: holder, weight: 2 }), { minLength: 1, maxLength: 3 })
      .map((entries) => Object.fromEntries<unknown>(entries)),
  }
})

/** Makes a whole document: an object at the root, with a definition for references. */
const rooted = (root: Schema, definition: Schema): SchemaObject => ({
  ...(typeof root === 'boolean' || Object.hasOwn(root, '$ref') ? { allOf: [root] } : root),
  definitions: { d: definition },
})

/** Returns every object inside a schema, the schema itself first. */
const objectsIn = (part: unknown): Record<string, unknown>[] => {
  if (typeof part !== 'object' || part === null) return []
  const within = Object.values(part).flatMap(objectsIn)
  return Array.isArray(part) ? within : [part as Record<string, unknown>, ...within]
}

/** Changes that people make to a schema: a keyword is removed, a number changes, a keyword is added. */
const edit = fc.record({ where: fc.nat(200), what: fc.constantFrom('drop', 'move', 'add'), key: fc.nat(20), added: assertion })

const edited = (
  before: SchemaObject,
  edits: readonly { where: number; what: string; key: number; added: readonly [string, unknown] }[],
): SchemaObject => {
  const after = JSON.parse(JSON.stringify(before)) as SchemaObject
  for (const { where, what, key, added } of edits) {
    const places = objectsIn(after)
    const place = places[where % places.length] as Record<string, unknown>
    const keys = Object.keys(place).filter((name) => name !== 'definitions' && name !== 'd')
    const name = keys[key % keys.length]
    const old = name === undefined ? undefined : place[name]
    if (what === 'add' || name === undefined) place[added[0]] = added[1]
    else if (what === 'move' && typeof old === 'number') place[name] = old + (key % 2 === 0 ? 1 : -1)
    else if (what === 'move' && Array.isArray(old) && old.length > 1) old.pop()
    else delete place[name]
  }
  return after
}

const pair = fc
  .record({
    root: schema,
    definition: schema,
    other: schema,
    edits: fc.array(edit, { minLength: 1, maxLength: 3 }),
    isOther: fc.integer({ min: 0, max: 4 }),
  })
  .map(({ root, definition, other, edits, isOther }) => {
    const before = rooted(root, definition)
    if (isOther === 0) return { before, after: rooted(other, definition) }
    if (isOther === 1) return { before, after: rooted({ anyOf: [root, other] }, definition) }
    return { before, after: edited(before, edits) }
  })

const check = (document: SchemaObject) => {
  try {
    return checkSchema(JSON.stringify(document))
  } catch (error) {
    if (error instanceof SchemaRefused) return undefined
    throw error
  }
}

describe('the check for compatibility', () => {
  it('never calls a schema compatible that refuses a value which the old schema accepts', () => {
    let [proven, tried] = [0, 0]
    fc.assert(
      fc.property(pair, fc.array(value, { minLength: 60, maxLength: 60 }), ({ before, after }, values) => {
        const [from, to] = [check(before), check(after)]
        fc.pre(from !== undefined && to !== undefined)
        if (from === undefined || to === undefined) return
        const changes = breakingChanges(from, to)
        const [validateBefore, validateAfter] = [compileSchema(from), compileSchema(to)]
        const shown = changes.filter((change) => Object.hasOwn(change, 'value'))
        expect(
          shown.filter(({ value: each }) => validateBefore(each).length > 0 || validateAfter(each).length === 0),
        ).toStrictEqual([])
        if (changes.length > 0) return
        proven += 1
        const accepted = values.filter((each) => validateBefore(each).length === 0)
        tried += accepted.length
        expect(accepted.filter((each) => validateAfter(each).length > 0)).toStrictEqual([])
      }),
      { numRuns: 500 },
    )
    // Guards against a test that proves nothing or tries no value.
    expect(proven).toBeGreaterThan(100)
    expect(tried).toBeGreaterThan(500)
  }, 120_000)

  it('calls every schema compatible with itself, also with its keywords in another order', () => {
    const turned = (part: unknown): unknown => {
      if (typeof part !== 'object' || part === null) return part
      if (Array.isArray(part)) return part.map(turned)
      return Object.fromEntries(
        Object.entries(part)
          .reverse()
          .map(([name, member]) => [name, turned(member)]),
      )
    }
    fc.assert(
      fc.property(schema, schema, (root, definition) => {
        const document = rooted(root, definition)
        const [from, to] = [check(document), check(turned(document) as SchemaObject)]
        fc.pre(from !== undefined && to !== undefined)
        if (from !== undefined && to !== undefined) expect(breakingChanges(from, to)).toStrictEqual([])
      }),
      { numRuns: 200 },
    )
  })
})
