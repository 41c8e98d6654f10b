import { describe, expect, it } from 'vitest'
import { checkSchema } from '../check-schema.ts'
import { breakingChanges } from './breaking-changes.ts'

const changes = (before: unknown, after: unknown): readonly string[] =>
  breakingChanges(checkSchema(JSON.stringify(before)), checkSchema(JSON.stringify(after))).map(
    ({ field, reason }) => `${field}: ${reason}`,
  )

const conditional = (parts: object): object => JSON.parse(JSON.stringify(parts).replaceAll('"thenSchema"', '"then"')) as object
const property = (schema: unknown, others: object = {}) => ({ type: 'object', properties: { a: schema }, ...others })

/** Each pair: what was accepted before is accepted after. */
const compatible: readonly (readonly [what: string, before: object, after: object])[] = [
  [
    'nothing changes',
    property({ type: 'string', pattern: '^a', oneOf: [{}, { not: {} }] }),
    property({ oneOf: [{}, { not: {} }], pattern: '^a', type: 'string' }),
  ],
  [
    'notes change',
    { title: 'A', properties: { a: { description: 'x' } } },
    { title: 'B', properties: { a: { examples: [1] } }, $comment: '' },
  ],
  ['a member is not required any more', { required: ['a', 'b'] }, { required: ['b'] }],
  ['a type is added', property({ type: 'string' }), property({ type: ['string', 'null'] })],
  ['integers become numbers', property({ type: 'integer' }), property({ type: 'number' })],
  ['all types are named', {}, { type: ['string', 'number', 'boolean', 'object', 'array', 'null'] }],
  ['values are added', property({ enum: ['x', 'y'] }), property({ enum: ['y', 'z', 'x'] })],
  ['values become a type', property({ enum: ['x', 'y'] }), property({ type: 'string', maxLength: 1 })],
  ['a value becomes values', property({ const: { b: 1 } }), property({ enum: [1, { b: 1 }] })],
  [
    'values have members that are named as those of every object',
    property({ enum: [{ toString: 1, valueOf: {} }, { constructor: {} }] }, { required: ['hasOwnProperty'] }),
    property({ enum: [{ constructor: {} }, { valueOf: {}, toString: 1 }, {}] }, { required: ['hasOwnProperty'] }),
  ],
  ['values that were excluded otherwise go', property({ type: 'string', enum: ['x', 1] }), property({ enum: ['x'] })],
  ['true and false are all there is', property({ type: 'boolean' }), property({ enum: [true, false] })],
  [
    'bounds widen',
    property({ type: 'number', minimum: 1, maximum: 5 }),
    property({ type: 'number', exclusiveMinimum: 0, maximum: 6 }),
  ],
  [
    'bounds of integers are said otherwise',
    property({ type: 'integer', exclusiveMinimum: 0 }),
    property({ type: 'integer', minimum: 1 }),
  ],
  ['a divisor becomes one of its divisors', property({ multipleOf: 0.06 }), property({ multipleOf: 0.02 })],
  ['integers are multiples of 1', property({ type: 'integer' }), property({ multipleOf: 1 })],
  ['lengths widen', property({ minLength: 2, maxLength: 3 }), property({ minLength: 1, maxLength: 4 })],
  [
    'a bound of another type comes',
    property({ type: 'string' }),
    property({ type: 'string', minimum: 5, required: ['x'], minItems: 3 }),
  ],
  ['a pattern goes', property({ type: 'string', pattern: '^a' }), property({ type: 'string' })],
  ['a schema for items goes', property({ items: { type: 'string' } }), property({})],
  ['items widen', property({ items: { type: 'integer' } }), property({ items: { type: 'number' } })],
  [
    'a list of schemas becomes one',
    property({ items: [{ type: 'integer' }], additionalItems: { type: 'null' } }),
    property({ items: { type: ['number', 'null'] } }),
  ],
  ['items of what is always empty change', property({ maxItems: 0 }), property({ maxItems: 0, items: { type: 'string' } })],
  ['what has one item at most has none twice', property({ maxItems: 1 }), property({ maxItems: 1, uniqueItems: true })],
  [
    'a contained item is known',
    property({ type: 'array', minItems: 1, items: { type: 'string' } }),
    property({ contains: { type: 'string' } }),
  ],
  ['what is contained widens', property({ contains: { const: 1 } }), property({ contains: { type: 'number' } })],
  ['required members count', { required: ['a', 'b'] }, { minProperties: 2 }],
  ['members of a closed object count', { properties: { a: {}, b: {} }, additionalProperties: false }, { maxProperties: 2 }],
  ['a closed object opens', { properties: { a: {} }, additionalProperties: false }, { properties: { a: {} } }],
  [
    'a closed object gets another member',
    { properties: { a: {} }, additionalProperties: false },
    { properties: { a: {}, b: { type: 'string' } }, additionalProperties: false },
  ],
  [
    'other members widen',
    { additionalProperties: { type: 'integer' } },
    { additionalProperties: { type: 'number' }, properties: { a: { type: 'number' } } },
  ],
  [
    'a pattern of names widens',
    { patternProperties: { '^a': { type: 'integer' } } },
    { patternProperties: { '^a': { type: 'number' } } },
  ],
  [
    'names of a closed object are known',
    { properties: { ab: {} }, additionalProperties: false },
    { propertyNames: { minLength: 2 } },
  ],
  ['names widen', { propertyNames: { maxLength: 2 } }, { propertyNames: { maxLength: 3 } }],
  ['a dependency goes', { dependencies: { a: ['b'] } }, {}],
  ['a dependency is met', { required: ['b'] }, { dependencies: { a: ['b'] } }],
  ['a dependency is on what cannot be', { properties: { a: false } }, { dependencies: { a: ['b'] } }],
  [
    'an alternative is added',
    property({ anyOf: [{ type: 'string' }, { const: 1 }] }),
    property({ anyOf: [{ type: 'number' }, { type: 'string' }, { type: 'null' }] }),
  ],
  [
    'types become alternatives',
    property({ type: ['string', 'number'] }),
    property({ anyOf: [{ type: 'string' }, { type: 'number' }] }),
  ],
  [
    'a schema becomes one of alternatives that exclude each other',
    property({ type: 'string' }),
    property({ oneOf: [{ type: 'string' }, { type: 'number' }] }),
  ],
  [
    'alternatives told apart by a member get another',
    property({
      oneOf: [
        { required: ['k'], properties: { k: { const: 'x' } } },
        { required: ['k'], properties: { k: { const: 'y' } } },
      ],
    }),
    property({
      oneOf: [
        { required: ['k'], properties: { k: { const: 'y' } } },
        { required: ['k'], properties: { k: { const: 'x' } } },
        { required: ['k'], properties: { k: { const: 'z' } } },
      ],
    }),
  ],
  ['parts are joined', property({ allOf: [{ type: 'string' }, { minLength: 1 }] }), property({ type: 'string', minLength: 1 })],
  ['what is excluded is less', property({ not: { type: ['string', 'null'] } }), property({ not: { type: 'null' } })],
  ['what is excluded never was', property({ type: 'string' }), property({ not: { type: 'null' } })],
  [
    'a condition that never holds',
    property({ type: 'string' }),
    property(conditional({ if: { type: 'null' }, thenSchema: false })),
  ],
  [
    'a condition that asks for what is known',
    property({ type: 'string', minLength: 2 }),
    property(conditional({ if: { type: 'string' }, thenSchema: { minLength: 1 } })),
  ],
  [
    'a condition loses a branch',
    property(conditional({ if: { minLength: 2 }, thenSchema: { maxLength: 3 }, else: { type: 'null' } })),
    property(conditional({ if: { minLength: 2 }, thenSchema: { maxLength: 3 } })),
  ],
  [
    'a reference is written out',
    { definitions: { d: { type: 'string' } }, properties: { a: { $ref: '#/definitions/d' } } },
    property({ type: 'string' }, { type: [...['object', 'string', 'number', 'boolean', 'array', 'null']] }),
  ],
  [
    'a recursive schema widens',
    { properties: { value: { type: 'integer' }, next: { $ref: '#' } } },
    { properties: { value: { type: 'number' }, next: { $ref: '#' } } },
  ],
  [
    'a recursive schema is unrolled',
    { type: 'object', properties: { next: { $ref: '#' } } },
    {
      definitions: { n: { type: 'object', properties: { next: { $ref: '#/definitions/n' } } } },
      type: 'object',
      properties: { next: { $ref: '#/definitions/n' } },
    },
  ],
  ['nothing was accepted', { type: 'object', required: ['a'], properties: { a: false } }, { required: ['z'], maxProperties: 0 }],
]

/** Each pair: what is refused now, and by what name. */
const breaking: readonly (readonly [what: string, before: object, after: object, change: string])[] = [
  ['a member becomes required', property({}), property({}, { required: ['a'] }), 'a: is now required'],
  [
    'a member within becomes required',
    property({ type: 'object' }),
    property({ type: 'object', required: ['b'] }),
    'a.b: is now required',
  ],
  ['a type goes', property({ type: ['string', 'null'] }), property({ type: 'string' }), 'a: must now be of type string'],
  ['numbers become integers', property({ type: 'number' }), property({ type: 'integer' }), 'a: must now be of type integer'],
  ['a member gets a type', property({}), property({ type: 'string' }), 'a: must now be of type string'],
  [
    'a member is described that was allowed before',
    { type: 'object' },
    property({ type: 'string' }),
    'a: must now be of type string',
  ],
  ['values go', property({ enum: ['x', 'y'] }), property({ enum: ['x'] }), 'a: no longer takes "y"'],
  ['a type becomes values', property({ type: 'string' }), property({ enum: ['x'] }), 'a: now takes only some values'],
  ['true goes', property({ type: 'boolean' }), property({ const: false }), 'a: no longer takes true'],
  [
    'a bound rises',
    property({ type: 'number', minimum: 1 }),
    property({ type: 'number', minimum: 2 }),
    'a: must now be at least 2',
  ],
  [
    'a bound opens',
    property({ type: 'number', minimum: 1 }),
    property({ type: 'number', exclusiveMinimum: 1 }),
    'a: must now be more than 1',
  ],
  ['a bound falls', property({ type: 'number' }), property({ type: 'number', maximum: 2 }), 'a: must now be at most 2'],
  [
    'an upper bound opens',
    property({ type: 'number', maximum: 2 }),
    property({ type: 'number', exclusiveMaximum: 2 }),
    'a: must now be less than 2',
  ],
  [
    'a divisor comes',
    property({ type: 'number' }),
    property({ type: 'number', multipleOf: 2 }),
    'a: must now be a multiple of 2',
  ],
  ['a divisor changes', property({ multipleOf: 2 }), property({ multipleOf: 4 }), 'a: must now be a multiple of 4'],
  ['lengths narrow', property({ maxLength: 3 }), property({ maxLength: 2 }), 'a: must now have at most 2 characters'],
  ['a least length comes', property({}), property({ minLength: 2 }), 'a: must now have at least 2 characters'],
  [
    'a pattern comes',
    property({ type: 'string' }),
    property({ type: 'string', pattern: '^a' }),
    'a: must now match the pattern ^a',
  ],
  [
    'items get a type',
    property({ type: 'array' }),
    property({ type: 'array', items: { type: 'string' } }),
    'a[]: must now be of type string',
  ],
  [
    'an item of a list gets a type',
    property({ items: [{}] }),
    property({ items: [{ type: 'string' }] }),
    'a[0]: must now be of type string',
  ],
  [
    'items beyond a list go',
    property({ items: [{}] }),
    property({ items: [{}], additionalItems: false }),
    'a[]: is no longer allowed',
  ],
  ['items count', property({ maxItems: 3 }), property({ maxItems: 2 }), 'a: must now have at most 2 items'],
  ['a least number of items comes', property({}), property({ minItems: 1 }), 'a: must now have at least 1 items'],
  ['items must differ', property({}), property({ uniqueItems: true }), 'a: must now not have the same item twice'],
  [
    'an item must be contained',
    property({}),
    property({ contains: { const: 1 } }),
    'a: cannot be shown compatible with the new contains',
  ],
  ['members count', property({}), property({}, { minProperties: 1 }), 'attributes: must now have at least 1 members'],
  ['members count to the most', property({}), property({}, { maxProperties: 1 }), 'attributes: must now have at most 1 members'],
  ['other members go', property({}), property({}, { additionalProperties: false }), '*: is no longer allowed'],
  [
    'a member of a closed object goes',
    { properties: { a: {}, b: {} }, additionalProperties: false },
    { properties: { a: {} }, additionalProperties: false },
    'b: is no longer allowed',
  ],
  ['a member goes', property({}), property(false), 'a: is no longer allowed'],
  ['a pattern of names comes', {}, { patternProperties: { '^a': { type: 'string' } } }, '*: must now be of type string'],
  [
    'a pattern of names meets a member',
    { properties: { ab: {} }, additionalProperties: false },
    { patternProperties: { '^a': { type: 'string' } } },
    'ab: must now be of type string',
  ],
  ['names get bounds', {}, { propertyNames: { maxLength: 2 } }, '*: cannot be shown compatible with the new propertyNames'],
  [
    'a known name is too long',
    { properties: { abc: {} }, additionalProperties: false },
    { propertyNames: { maxLength: 2 } },
    'abc: has a name that is no longer allowed',
  ],
  ['a dependency comes', {}, { dependencies: { a: ['b'] } }, 'b: is now required'],
  [
    'an alternative goes',
    property({ anyOf: [{ type: 'string' }, { type: 'null' }] }),
    property({ anyOf: [{ type: 'string' }] }),
    'a: no longer takes null',
  ],
  [
    'alternatives exclude each other now',
    property({ anyOf: [{ minLength: 1 }, { maxLength: 1 }] }),
    property({ oneOf: [{ minLength: 1 }, { maxLength: 1 }] }),
    'a: cannot be shown compatible with the new oneOf',
  ],
  ['more is excluded', property({}), property({ not: { type: 'null' } }), 'a: no longer takes null'],
  [
    'a condition asks for more',
    property({ type: 'string' }),
    property(conditional({ if: { minLength: 2 }, thenSchema: { maxLength: 3 } })),
    'a: must now have at most 3 characters',
  ],
  [
    'a recursive schema narrows',
    { properties: { value: {}, next: { $ref: '#' } } },
    { properties: { value: { type: 'string' }, next: { $ref: '#' } } },
    'value: must now be of type string',
  ],
  [
    'a condition that only objects meet says nothing of other values',
    {
      allOf: [
        conditional({ if: { dependencies: { c: { minItems: 3 } } } }),
        conditional({ if: { contains: {} }, else: { required: ['c'] } }),
      ],
    },
    conditional({ if: { contains: {} }, else: { oneOf: [{}, {}] } }),
    'attributes: cannot be shown compatible with the new oneOf',
  ],
  ['nothing is accepted any more', {}, { not: {} }, 'attributes: cannot be shown compatible with the new not'],
]

describe('a new schema is compatible where', () => {
  it.each(compatible)('%s', (_, before, after) => {
    expect(changes(before, after)).toStrictEqual([])
  })
})

describe('a new schema is breaking, and says what, where', () => {
  it.each(breaking)('%s', (_, before, after, change) => {
    expect(changes(before, after)).toContain(change)
  })
})

describe('breaking changes', () => {
  it('are all listed, each once', () => {
    const before = { type: 'object', properties: { a: { type: ['string', 'number'] }, b: { type: 'array' } } }
    const after = {
      type: 'object',
      required: ['c'],
      properties: { a: { type: 'string', maxLength: 2 }, b: { items: { type: 'string' } } },
    }
    expect(changes(before, after)).toStrictEqual([
      'c: is now required',
      'a: must now be of type string',
      'a: must now have at most 2 characters',
      'b[]: must now be of type string',
    ])
  })

  it('are given up on, and said to be, where schemas are too complex to compare', () => {
    const choices = (offset: number) => ({
      properties: Object.fromEntries(
        Array.from({ length: 40 }, (_, index) => [
          `p${index}`,
          {
            allOf: Array.from({ length: 8 }, (__, choice) => ({
              anyOf: [{ minimum: choice + offset }, { maxLength: choice + index }, { minItems: choice }],
            })),
          },
        ]),
      ),
    })
    const [change] = changes(choices(0), choices(1))
    expect(change).toBeDefined()
    expect(changes(choices(0), choices(0))).toStrictEqual([])
  })
})
