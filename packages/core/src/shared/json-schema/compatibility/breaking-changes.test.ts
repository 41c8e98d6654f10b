import { describe, expect, it } from 'vitest'
import { checkSchema } from '../check-schema.ts'
import { breakingChanges } from './breaking-changes.ts'

const changes = (before: unknown, after: unknown): readonly string[] =>
  breakingChanges(checkSchema(JSON.stringify(before)), checkSchema(JSON.stringify(after))).map(
    ({ field, reason }) => `${field}: ${reason}`,
  )

const conditional = (parts: object): object => JSON.parse(JSON.stringify(parts).replaceAll('"thenSchema"', '"then"')) as object
const property = (schema: unknown, others: object = {}) => ({ type: 'object', properties: { a: schema }, ...others })

/** Objects that differ in the `const` of one member. The last has a list of values. */
const unionOf = (states: readonly string[]) => ({
  oneOf: ['a', 'b', 'c', 'd', 'e'].map((kind) => ({
    type: 'object',
    required: ['kind'],
    properties: { kind: { const: kind }, ...(kind === 'e' && { state: { enum: states } }) },
    additionalProperties: false,
  })),
})

const treeOf = (kinds: readonly string[]) => ({
  definitions: {
    node: {
      type: 'object',
      required: ['kind'],
      properties: { kind: { enum: kinds }, children: { type: 'array', items: { $ref: '#/definitions/node' } } },
    },
  },
  allOf: [{ $ref: '#/definitions/node' }],
})

/** Pairs of schemas. The second accepts every value that the first accepts. */
const compatible: readonly (readonly [what: string, before: object, after: object])[] = [
  [
    'nothing changes',
    property({ type: 'string', pattern: '^a', oneOf: [{}, { not: {} }] }),
    property({ oneOf: [{}, { not: {} }], pattern: '^a', type: 'string' }),
  ],
  [
    'annotations change',
    { title: 'A', properties: { a: { description: 'x' } } },
    { title: 'B', properties: { a: { examples: [1] } }, $comment: '' },
  ],
  ['a member is no longer required', { required: ['a', 'b'] }, { required: ['b'] }],
  ['a type is added', property({ type: 'string' }), property({ type: ['string', 'null'] })],
  ['integers become numbers', property({ type: 'integer' }), property({ type: 'number' })],
  ['all types are named', {}, { type: ['string', 'number', 'boolean', 'object', 'array', 'null'] }],
  ['values are added', property({ enum: ['x', 'y'] }), property({ enum: ['y', 'z', 'x'] })],
  ['an enum becomes a type', property({ enum: ['x', 'y'] }), property({ type: 'string', maxLength: 1 })],
  ['a const becomes an enum with the same value', property({ const: { b: 1 } }), property({ enum: [1, { b: 1 }] })],
  [
    'members have the names of methods of every object',
    property({ enum: [{ toString: 1, valueOf: {} }, { constructor: {} }] }, { required: ['hasOwnProperty'] }),
    property({ enum: [{ constructor: {} }, { valueOf: {}, toString: 1 }, {}] }, { required: ['hasOwnProperty'] }),
  ],
  [
    'an enum loses a value that the type already excludes',
    property({ type: 'string', enum: ['x', 1] }),
    property({ enum: ['x'] }),
  ],
  ['a boolean becomes an enum of true and false', property({ type: 'boolean' }), property({ enum: [true, false] })],
  [
    'bounds widen',
    property({ type: 'number', minimum: 1, maximum: 5 }),
    property({ type: 'number', exclusiveMinimum: 0, maximum: 6 }),
  ],
  [
    'the bound of an integer is written in another way',
    property({ type: 'integer', exclusiveMinimum: 0 }),
    property({ type: 'integer', minimum: 1 }),
  ],
  ['a divisor becomes one of its divisors', property({ multipleOf: 0.06 }), property({ multipleOf: 0.02 })],
  ['integers are multiples of 1', property({ type: 'integer' }), property({ multipleOf: 1 })],
  ['lengths widen', property({ minLength: 2, maxLength: 3 }), property({ minLength: 1, maxLength: 4 })],
  [
    'a bound for another type is added',
    property({ type: 'string' }),
    property({ type: 'string', minimum: 5, required: ['x'], minItems: 3 }),
  ],
  ['a pattern is removed', property({ type: 'string', pattern: '^a' }), property({ type: 'string' })],
  ['the schema of items is removed', property({ items: { type: 'string' } }), property({})],
  ['items widen', property({ items: { type: 'integer' } }), property({ items: { type: 'number' } })],
  [
    'a list of item schemas becomes one schema',
    property({ items: [{ type: 'integer' }], additionalItems: { type: 'null' } }),
    property({ items: { type: ['number', 'null'] } }),
  ],
  ['the items of an always empty list change', property({ maxItems: 0 }), property({ maxItems: 0, items: { type: 'string' } })],
  ['the schema of contains widens', property({ contains: { const: 1 } }), property({ contains: { type: 'number' } })],
  ['minProperties counts required members', { required: ['a', 'b'] }, { minProperties: 2 }],
  ['a closed object opens', { properties: { a: {} }, additionalProperties: false }, { properties: { a: {} } }],
  [
    'a closed object gets another member',
    { properties: { a: {} }, additionalProperties: false },
    { properties: { a: {}, b: { type: 'string' } }, additionalProperties: false },
  ],
  [
    'the schema of additional members widens',
    { additionalProperties: { type: 'integer' } },
    { additionalProperties: { type: 'number' }, properties: { a: { type: 'number' } } },
  ],
  [
    'the schema of members that match a pattern widens',
    { patternProperties: { '^a': { type: 'integer' } } },
    { patternProperties: { '^a': { type: 'number' } } },
  ],
  [
    'propertyNames accepts every name of a closed object',
    { properties: { ab: {} }, additionalProperties: false },
    { propertyNames: { minLength: 2 } },
  ],
  ['propertyNames widens', { propertyNames: { maxLength: 2 } }, { propertyNames: { maxLength: 3 } }],
  ['a dependency is removed', { dependencies: { a: ['b'] } }, {}],
  ['the member of a dependency is already required', { required: ['b'] }, { dependencies: { a: ['b'] } }],
  ['a dependency is on a member that cannot exist', { properties: { a: false } }, { dependencies: { a: ['b'] } }],
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
    'alternatives that differ in one member get a further alternative',
    property({
      oneOf: [
        { type: 'object', required: ['k'], properties: { k: { const: 'x' } } },
        { type: 'object', required: ['k'], properties: { k: { const: 'y' } } },
      ],
    }),
    property({
      oneOf: [
        { type: 'object', required: ['k'], properties: { k: { const: 'y' } } },
        { type: 'object', required: ['k'], properties: { k: { const: 'x' } } },
        { type: 'object', required: ['k'], properties: { k: { const: 'z' } } },
      ],
    }),
  ],
  [
    'the parts of an allOf are joined',
    property({ allOf: [{ type: 'string' }, { minLength: 1 }] }),
    property({ type: 'string', minLength: 1 }),
  ],
  ['not excludes fewer values', property({ not: { type: ['string', 'null'] } }), property({ not: { type: 'null' } })],
  [
    'the types that not leaves are named',
    property({ not: { type: ['string', 'null'] } }),
    property({ type: ['number', 'boolean', 'object', 'array'] }),
  ],
  ['not excludes a value that was never accepted', property({ type: 'string' }), property({ not: { type: 'null' } })],
  [
    'a condition is added that never holds',
    property({ type: 'string' }),
    property(conditional({ if: { type: 'null' }, thenSchema: false })),
  ],
  [
    'a condition is added that asks for nothing new',
    property({ type: 'string', minLength: 2 }),
    property(conditional({ if: { type: 'string' }, thenSchema: { minLength: 1 } })),
  ],
  [
    'a condition loses a branch',
    property(conditional({ if: { minLength: 2 }, thenSchema: { maxLength: 3 }, else: { type: 'null' } })),
    property(conditional({ if: { minLength: 2 }, thenSchema: { maxLength: 3 } })),
  ],
  [
    'a reference is replaced by its schema',
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
  ['one of five objects that a const tells apart gets one more value', unionOf(['x', 'y']), unionOf(['x', 'y', 'z'])],
  ['an enum in a recursive schema gets one more value', treeOf(['file', 'folder']), treeOf(['file', 'folder', 'link'])],
  [
    'the old schema accepts no value',
    { type: 'object', required: ['a'], properties: { a: false } },
    { required: ['z'], maxProperties: 0 },
  ],
]

/** Pairs of schemas. The second refuses a value that the first accepts. The last entry is the change that is reported. */
const breaking: readonly (readonly [what: string, before: object, after: object, change: string])[] = [
  ['a member becomes required', property({}), property({}, { required: ['a'] }), 'a: is now required'],
  [
    'a member of a member becomes required',
    property({ type: 'object' }),
    property({ type: 'object', required: ['b'] }),
    'a.b: is now required',
  ],
  ['a type is removed', property({ type: ['string', 'null'] }), property({ type: 'string' }), 'a: must now be of type string'],
  ['numbers become integers', property({ type: 'number' }), property({ type: 'integer' }), 'a: must now be of type integer'],
  ['a member gets a type', property({}), property({ type: 'string' }), 'a: must now be of type string'],
  ['an additional member gets a schema', { type: 'object' }, property({ type: 'string' }), 'a: must now be of type string'],
  ['values are removed', property({ enum: ['x', 'y'] }), property({ enum: ['x'] }), 'a: no longer takes "y"'],
  ['a type becomes an enum', property({ type: 'string' }), property({ enum: ['x'] }), 'a: now takes only some values'],
  ['true is removed', property({ type: 'boolean' }), property({ const: false }), 'a: no longer takes true'],
  [
    'a lower bound rises',
    property({ type: 'number', minimum: 1 }),
    property({ type: 'number', minimum: 2 }),
    'a: must now be at least 2',
  ],
  [
    'a lower bound becomes exclusive',
    property({ type: 'number', minimum: 1 }),
    property({ type: 'number', exclusiveMinimum: 1 }),
    'a: must now be more than 1',
  ],
  ['an upper bound is added', property({ type: 'number' }), property({ type: 'number', maximum: 2 }), 'a: must now be at most 2'],
  [
    'an upper bound becomes exclusive',
    property({ type: 'number', maximum: 2 }),
    property({ type: 'number', exclusiveMaximum: 2 }),
    'a: must now be less than 2',
  ],
  [
    'a divisor is added',
    property({ type: 'number' }),
    property({ type: 'number', multipleOf: 2 }),
    'a: must now be a multiple of 2',
  ],
  ['a divisor changes', property({ multipleOf: 2 }), property({ multipleOf: 4 }), 'a: must now be a multiple of 4'],
  ['lengths narrow', property({ maxLength: 3 }), property({ maxLength: 2 }), 'a: must now have at most 2 characters'],
  ['a least length is added', property({}), property({ minLength: 2 }), 'a: must now have at least 2 characters'],
  [
    'a pattern is added',
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
    'items after a list of schemas are removed',
    property({ items: [{}] }),
    property({ items: [{}], additionalItems: false }),
    'a[]: is no longer allowed',
  ],
  ['the most items become fewer', property({ maxItems: 3 }), property({ maxItems: 2 }), 'a: must now have at most 2 items'],
  ['a least number of items is added', property({}), property({ minItems: 1 }), 'a: must now have at least 1 items'],
  ['items must be unique', property({}), property({ uniqueItems: true }), 'a: must now not have the same item twice'],
  ['contains is added', property({}), property({ contains: { const: 1 } }), 'a: no longer takes []'],
  [
    'a least number of members is added',
    property({}),
    property({}, { minProperties: 1 }),
    'attributes: must now have at least 1 members',
  ],
  [
    'a greatest number of members is added',
    property({}),
    property({}, { maxProperties: 1 }),
    'attributes: must now have at most 1 members',
  ],
  ['additional members are removed', property({}), property({}, { additionalProperties: false }), '*: is no longer allowed'],
  [
    'a member of a closed object is removed',
    { properties: { a: {}, b: {} }, additionalProperties: false },
    { properties: { a: {} }, additionalProperties: false },
    'b: is no longer allowed',
  ],
  ['a member is removed', property({}), property(false), 'a: is no longer allowed'],
  [
    'a schema for members that match a pattern is added',
    {},
    { patternProperties: { '^a': { type: 'string' } } },
    '*: must now be of type string',
  ],
  [
    'a pattern matches the name of a member',
    { properties: { ab: {} }, additionalProperties: false },
    { patternProperties: { '^a': { type: 'string' } } },
    'ab: must now be of type string',
  ],
  ['propertyNames is added', {}, { propertyNames: { maxLength: 2 } }, '*: has a name that is no longer allowed'],
  [
    'propertyNames refuses a name that is listed',
    { properties: { abc: {} }, additionalProperties: false },
    { propertyNames: { maxLength: 2 } },
    'abc: has a name that is no longer allowed',
  ],
  ['a dependency is added', {}, { dependencies: { a: ['b'] } }, 'b: is now required'],
  [
    'an alternative is removed',
    property({ anyOf: [{ type: 'string' }, { type: 'null' }] }),
    property({ anyOf: [{ type: 'string' }] }),
    'a: no longer takes null',
  ],
  [
    'an anyOf becomes a oneOf',
    property({ anyOf: [{ minLength: 1 }, { maxLength: 1 }] }),
    property({ oneOf: [{ minLength: 1 }, { maxLength: 1 }] }),
    'a: no longer takes null',
  ],
  ['not excludes more values', property({}), property({ not: { type: 'null' } }), 'a: no longer takes null'],
  [
    'a condition with a narrower branch is added',
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
    'a condition that only objects can meet says nothing about other values',
    {
      allOf: [
        conditional({ if: { dependencies: { c: { minItems: 3 } } } }),
        conditional({ if: { contains: {} }, else: { required: ['c'] } }),
      ],
    },
    conditional({ if: { contains: {} }, else: { oneOf: [{}, {}] } }),
    'attributes: no longer takes []',
  ],
  [
    'one of five objects that a const tells apart loses a value',
    unionOf(['x', 'y']),
    unionOf(['x']),
    'state: no longer takes "y"',
  ],
  [
    'an enum in a recursive schema loses a value',
    treeOf(['file', 'link']),
    treeOf(['file']),
    'children[].kind: no longer takes "link"',
  ],
  ['uniqueItems is next to a const of false', {}, { const: false, uniqueItems: false }, 'attributes: now takes only some values'],
  ['the new schema accepts no value', {}, { not: {} }, 'attributes: no longer takes null'],
]

describe('a new schema is compatible if', () => {
  it.each(compatible)('%s', (_, before, after) => {
    expect(changes(before, after)).toStrictEqual([])
  })
})

describe('a new schema is breaking, and the change is named, if', () => {
  it.each(breaking)('%s', (_, before, after, change) => {
    expect(changes(before, after)).toContain(change)
  })
})

describe('breaking changes', () => {
  it('are all listed, and each is listed once', () => {
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

  it('come with a value that the old schema accepts and the new schema refuses', () => {
    const before = {
      type: 'object',
      required: ['id'],
      properties: { id: { type: 'string', minLength: 3 }, size: { maximum: 9 } },
    }
    const after = { ...before, properties: { ...before.properties, size: { maximum: 8 } } }
    const [change] = breakingChanges(checkSchema(JSON.stringify(before)), checkSchema(JSON.stringify(after)))
    expect(change).toStrictEqual({ field: 'size', reason: 'must now be at most 8', value: { id: 'aaa', size: 9 } })
  })

  it('come with a value that JSON can express, also if a member accepts no value', () => {
    const before = { properties: { a: false }, minProperties: 2 }
    const [change] = breakingChanges(checkSchema(JSON.stringify(before)), checkSchema(JSON.stringify({ ...before, not: {} })))
    expect(JSON.parse(JSON.stringify(change))).toStrictEqual(change)
    const required = { properties: { a: false }, minProperties: 2, required: ['a'] }
    const found = breakingChanges(checkSchema(JSON.stringify(before)), checkSchema(JSON.stringify(required)))
    for (const one of found) expect(one.value ?? {}).not.toHaveProperty('a')
  })

  it('say that compatibility is unknown if neither a rule nor a value decides it', () => {
    const before = { properties: { a: { type: 'string', pattern: '^(x|y)z{7}$' } } }
    const after = { properties: { a: { type: 'string', pattern: '^[xy]z{7}$' } } }
    expect(changes(before, after)).toStrictEqual(['a: cannot be shown compatible: must now match the pattern ^[xy]z{7}$'])
  })

  /** Each member takes too many alternatives to go through. */
  const choices = (offset: number) => ({
    allOf: Array.from({ length: 12 }, (_, choice) => ({
      anyOf: [{ minimum: choice + offset }, { maxLength: choice }, { minItems: choice }],
    })),
  })

  it('are found in the other members, even if one member is too complex to compare', () => {
    const before = { properties: { a: { type: 'string' }, hard: choices(0), z: { type: 'string' } } }
    const after = { properties: { a: { type: 'number' }, hard: choices(1), z: { type: 'null' } } }
    const fields = changes(before, after).map((change) => change.split(':')[0])
    expect(new Set(fields)).toStrictEqual(new Set(['a', 'hard', 'z']))
  })

  it('are found in bounded time, whatever the schemas', () => {
    const many = (offset: number) => ({
      properties: Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`p${index}`, choices(offset + index)])),
    })
    // Each definition names the one before twice: without a memory, the number of comparisons doubles 25 times.
    const doubling = (type: unknown) => ({
      definitions: Object.fromEntries([
        ['d0', { type }],
        ...Array.from({ length: 25 }, (_, index) => {
          const inner = { $ref: `#/definitions/d${index}` }
          return [`d${index + 1}`, { properties: { a: inner, b: inner } }] as const
        }),
      ]),
      properties: { x: { $ref: '#/definitions/d25' } },
    })
    const started = process.cpuUsage()
    expect(changes(many(0), many(1))).not.toStrictEqual([])
    expect(changes(many(0), many(0))).toStrictEqual([])
    expect(changes(doubling(['string', 'null']), doubling('string'))).not.toStrictEqual([])
    expect(changes(doubling('string'), doubling(['string', 'null']))).toStrictEqual([])
    expect(process.cpuUsage(started).user / 1e6).toBeLessThan(20)
  }, 120_000)
})
