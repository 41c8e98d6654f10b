import { describe, expect, it } from 'vitest'
import { checkSchema } from './check-schema.ts'
import { compileParts, compileSchema } from './compile-schema.ts'

const complaintsOf = (schema: unknown, value: unknown): readonly string[] =>
  compileSchema(checkSchema(JSON.stringify(schema)))(value).map(({ field, message }) => `${field}: ${message}`)

describe('an invalid value', () => {
  it.each<[what: string, schema: object, value: unknown, complaint: string]>([
    ['a missing member', { required: ['name'] }, {}, 'name: is required'],
    ['a missing member further in', { properties: { a: { required: ['b'] } } }, { a: {} }, 'a.b: is required'],
    ['a wrong type', { properties: { a: { type: 'string' } } }, { a: 1 }, 'a: must be a string'],
    [
      'a wrong type of several',
      { properties: { a: { type: ['integer', 'null'] } } },
      { a: 1.5 },
      'a: must be an integer or null',
    ],
    [
      'a wrong type within',
      { properties: { deployment: { properties: { type: { type: 'string' } } } } },
      { deployment: { type: 1 } },
      'deployment.type: must be a string',
    ],
    [
      'a wrong item',
      { properties: { platforms: { items: { type: 'string' } } } },
      { platforms: ['x', 2] },
      'platforms[1]: must be a string',
    ],
    [
      'a wrong item of a member named by a number',
      { properties: { 1: { items: { type: 'string' } } } },
      { 1: [2] },
      '1[0]: must be a string',
    ],
    ['none of the values', { properties: { a: { enum: ['x', 1, null] } } }, { a: 2 }, 'a: must be one of "x", 1, null'],
    ['not the value', { properties: { a: { const: { b: 1 } } } }, { a: 2 }, 'a: must be {"b":1}'],
    ['too small', { properties: { a: { minimum: 3 } } }, { a: 2 }, 'a: must be at least 3'],
    ['not great enough', { properties: { a: { exclusiveMinimum: 3 } } }, { a: 3 }, 'a: must be more than 3'],
    ['too great', { properties: { a: { maximum: 3 } } }, { a: 4 }, 'a: must be at most 3'],
    ['not small enough', { properties: { a: { exclusiveMaximum: 3 } } }, { a: 3 }, 'a: must be less than 3'],
    ['no multiple', { properties: { a: { multipleOf: 0.01 } } }, { a: 0.005 }, 'a: must be a multiple of 0.01'],
    ['too short, in characters', { properties: { a: { minLength: 2 } } }, { a: '😀' }, 'a: must have at least 2 characters'],
    ['too long', { properties: { a: { maxLength: 2 } } }, { a: 'abc' }, 'a: must have at most 2 characters'],
    ['no match', { properties: { a: { pattern: '^x' } } }, { a: 'y' }, 'a: must match the pattern ^x'],
    ['too few items', { properties: { a: { minItems: 1 } } }, { a: [] }, 'a: must have at least 1 items'],
    ['too many items', { properties: { a: { maxItems: 1 } } }, { a: [1, 2] }, 'a: must have at most 1 items'],
    [
      'too many items of a tuple',
      { properties: { a: { items: [true], additionalItems: false } } },
      { a: [1, 2] },
      'a: must have at most 1 items',
    ],
    [
      'the same item twice',
      { properties: { a: { uniqueItems: true } } },
      {
        a: [
          { x: 1, y: [2] },
          { y: [2], x: 1 },
        ],
      },
      'a: must not have the same item twice',
    ],
    [
      'no such item',
      { properties: { a: { contains: { const: 1 } } } },
      { a: [2] },
      'a: must contain an item of the expected form',
    ],
    ['too few members', { properties: { a: { minProperties: 1 } } }, { a: {} }, 'a: must have at least 1 members'],
    ['too many members', { properties: { a: { maxProperties: 0 } } }, { a: { b: 1 } }, 'a: must have at most 0 members'],
    ['a member too many', { additionalProperties: false }, { 'a.b': 1 }, 'a.b: is not allowed'],
    ['a member that is not allowed', { properties: { a: false } }, { a: 1 }, 'a: is not allowed'],
    ['a name that is not allowed', { propertyNames: { maxLength: 1 } }, { ab: 1 }, 'ab: has a name that is not allowed'],
    ['what another member asks for', { dependencies: { a: ['b'] } }, { a: 1 }, 'b: is required together with a'],
    [
      'no alternative',
      { properties: { a: { anyOf: [{ type: 'string' }, { type: 'null' }] } } },
      { a: 1 },
      'a: must have one of the allowed forms',
    ],
    ['two alternatives', { properties: { a: { oneOf: [{}, {}] } } }, { a: 1 }, 'a: must have exactly one of the allowed forms'],
    ['an excluded value', { properties: { a: { not: {} } } }, { a: 1 }, 'a: must not have a form that is excluded'],
    ['what a condition asks for', JSON.parse('{"if":{},"then":{"required":["a"]}}') as object, {}, 'a: is required'],
    [
      'what a reference asks for',
      { definitions: { d: { type: 'null' } }, properties: { a: { $ref: '#/definitions/d' } } },
      { a: 1 },
      'a: must be null',
    ],
    [
      'what a reference into a group of definitions asks for',
      {
        definitions: { group: { id: { type: 'null' }, constructor: { $ref: '#/definitions/group/id' } } },
        properties: { a: { $ref: '#/definitions/group/constructor' } },
      },
      { a: 1 },
      'a: must be null',
    ],
    [
      'what a reference beside a name that Ajv knows asks for',
      { $async: { a: { type: 'null' } }, properties: { a: { $ref: '#/$async/a' } } },
      { a: 1 },
      'a: must be null',
    ],
    [
      'what a reference to a part of a detached schema asks for',
      {
        'x/~': { b: { properties: { c: { type: 'null' } } } },
        properties: { a: { $ref: '#/x~1~0/b' }, d: { $ref: '#/x~1~0/b/properties/c' } },
      },
      { d: 1 },
      'd: must be null',
    ],
    [
      'what a reference into a list of schemas asks for',
      { x: [{ b: { properties: { c: { type: 'null' } } } }], properties: { a: { $ref: '#/x/0/b' } } },
      { a: { c: 1 } },
      'a.c: must be null',
    ],
    [
      'what references into each other ask for',
      {
        x: { y: { type: 'object', z: { w: { type: 'null' } } } },
        properties: { a: { $ref: '#/x/y/z/w' }, b: { $ref: '#/x/y' } },
      },
      { a: null, b: 1 },
      'b: must be an object',
    ],
    [
      'what a reference to the own $id asks for',
      { $id: 'https://example.test/a', definitions: { d: { type: 'null' } }, properties: { a: { $ref: 'a#/definitions/d' } } },
      { a: 1 },
      'a: must be null',
    ],
    ['of itself', { minProperties: 1 }, {}, ': must have at least 1 members'],
  ])('gets a complaint: %s', (_, schema, value, complaint) => {
    expect(complaintsOf(schema, value)).toStrictEqual([complaint])
  })

  it('gets each complaint once, in the order of the schema', () => {
    const schema = { required: ['a', 'b'], properties: { c: { type: 'string' }, d: { minimum: 1, allOf: [{ minimum: 1 }] } } }
    expect(complaintsOf(schema, { c: 1, d: 0 })).toStrictEqual([
      'a: is required',
      'b: is required',
      'c: must be a string',
      'd: must be at least 1',
    ])
  })

  it('gets at most twenty complaints of limited length', () => {
    const complaints = complaintsOf(
      { items: { type: 'string' }, properties: { a: { enum: ['x'.repeat(5000)] } } },
      Array.from({ length: 5000 }, () => 1),
    )
    expect(complaints).toHaveLength(20)
    expect(complaintsOf({ properties: { a: { enum: ['x'.repeat(5000)] } } }, { a: 1 })[0]?.length).toBeLessThan(300)
    expect(complaintsOf({ additionalProperties: false }, { ['n'.repeat(5000)]: 1 })[0]?.length).toBeLessThan(300)
  })
})

describe('a value', () => {
  it.each(['toString', 'constructor', 'hasOwnProperty', 'valueOf', '__proto__'])(
    'has a member named %s only when it is an own member',
    (name) => {
      expect(complaintsOf({ required: [name] }, {})).toStrictEqual([`${name}: is required`])
      expect(Object.getPrototypeOf({})).toBe(Object.prototype)
    },
  )

  it('can have members named like methods of every object, which are checked like others', () => {
    const schema = { properties: { constructor: { type: 'string' }, toString: { type: 'null' } }, required: ['constructor'] }
    expect(complaintsOf(schema, { constructor: 'x', toString: null })).toStrictEqual([])
    expect(complaintsOf(schema, { constructor: 1, toString: 1 })).toStrictEqual([
      'constructor: must be a string',
      'toString: must be null',
    ])
  })

  const everyObjectHas = [...Object.getOwnPropertyNames(Object.prototype), 'toJSON', 'then', 'length', 'prototype'].filter(
    (name) => name !== '__proto__',
  )

  it.each(everyObjectHas)('can have a member named %s if a schema lists it', (name) => {
    const object = { [name]: {} }
    for (const schema of [{ const: object }, { enum: [1, object] }, { enum: [[[object]], object] }]) {
      expect(complaintsOf(schema, object)).toStrictEqual([])
      for (const other of [{}, { [name]: 1 }, { [name]: null }, { [name]: { a: 1 } }, { other: {} }, [object]]) {
        expect(complaintsOf(schema, other)).toHaveLength(1)
      }
      for (const listed of [{ const: { a: 1 } }, { enum: [{}, { a: {} }] }]) expect(complaintsOf(listed, object)).toHaveLength(1)
    }
    expect(complaintsOf({ uniqueItems: true }, [object, {}, { [name]: 1 }])).toStrictEqual([])
    expect(complaintsOf({ uniqueItems: true }, [object, { [name]: {} }])).toHaveLength(1)
    expect(complaintsOf({ dependencies: { [name]: ['a'] } }, {})).toStrictEqual([])
    expect(complaintsOf({ dependencies: { [name]: ['a'] } }, object)).toStrictEqual([`a: is required together with ${name}`])
    expect(complaintsOf({ dependencies: { [name]: { required: ['a'] } } }, {})).toStrictEqual([])
    expect(complaintsOf({ dependencies: { [name]: { required: ['a'] } } }, object)).toStrictEqual(['a: is required'])
    expect(complaintsOf({ dependencies: { a: [name] } }, { a: 1 })).toStrictEqual([`${name}: is required together with a`])
    expect(complaintsOf({ properties: { [name]: false } }, {})).toStrictEqual([])
    expect(complaintsOf({ properties: { [name]: false } }, object)).toStrictEqual([`${name}: is not allowed`])
    expect(complaintsOf({ additionalProperties: false }, object)).toStrictEqual([`${name}: is not allowed`])
    expect(complaintsOf({ additionalProperties: false, properties: { [name]: {} } }, object)).toStrictEqual([])
    const many = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`p${index}`, {}]))
    expect(complaintsOf({ additionalProperties: false, properties: many }, object)).toStrictEqual([`${name}: is not allowed`])
    const names = [...Object.keys(many), name]
    expect(complaintsOf({ required: names }, many)).toStrictEqual([`${name}: is required`])
    expect(complaintsOf({ propertyNames: { enum: ['a'] } }, object)).toHaveLength(1)
    expect(complaintsOf({ patternProperties: { '^a': false } }, object)).toStrictEqual([])
    expect(complaintsOf({ patternProperties: { '.': false } }, object)).toStrictEqual([`${name}: is not allowed`])
    const referring = { definitions: { [name]: { type: 'null' } }, properties: { a: { $ref: `#/definitions/${name}` } } }
    expect(complaintsOf(referring, { a: 1 })).toStrictEqual(['a: must be null'])
    expect(
      complaintsOf({ properties: { [name]: { properties: { [name]: { type: 'null' } } } } }, { [name]: object }),
    ).toStrictEqual([`${name}.${name}: must be null`])
  })

  it.each([
    [0, -0],
    [
      [1, { a: null }],
      [1, { a: null }],
    ],
    [
      { a: 1, b: [true] },
      { b: [true], a: 1 },
    ],
    ['', ''],
  ])('is accepted by enum and const when it equals a listed value: %j', (listed, value) => {
    expect(complaintsOf({ const: listed }, value)).toStrictEqual([])
    expect(complaintsOf({ enum: ['other', listed] }, value)).toStrictEqual([])
  })

  it.each([
    [0, false],
    [1, '1'],
    [null, 0],
    [[], {}],
    [
      [1, 2],
      [2, 1],
    ],
    [[1], [1, 1]],
    [{ a: 1 }, { a: 1, b: 2 }],
    [{ a: 1 }, { b: 1 }],
    [{ 0: 1 }, [1]],
    [{ a: 'x' }, { a: null }],
    [{ a: '' }, { a: [] }],
  ])('is refused by enum and const when it differs: %j and %j', (listed, value) => {
    expect(complaintsOf({ const: listed }, value)).toHaveLength(1)
    expect(complaintsOf({ enum: ['other', listed] }, value)).toHaveLength(1)
  })

  it('is never changed', () => {
    const value = { a: '1' }
    complaintsOf({ properties: { a: { type: 'number' }, b: { default: 5 } } }, value)
    expect(value).toStrictEqual({ a: '1' })
  })

  it.each([
    ['undefined', undefined],
    ['not a number', Number.NaN],
    ['an infinite number', Number.POSITIVE_INFINITY],
    ['a date', new Date(0)],
    ['a big integer', 1n],
    ['a function', () => {}],
  ])('is refused when it is not JSON: %s', (_, member) => {
    expect(complaintsOf({}, { a: [member] })).toStrictEqual([': must be JSON'])
  })

  it('is refused when it is nested more than 64 deep, or holds itself', () => {
    const nest = (depth: number): unknown => (depth === 0 ? 1 : [nest(depth - 1)])
    expect(complaintsOf({}, nest(64))).toStrictEqual([])
    expect(complaintsOf({}, nest(65))).toStrictEqual([': must be nested at most 64 deep'])
    const endless: unknown[] = []
    endless.push(endless)
    expect(complaintsOf({}, endless)).toStrictEqual([': must be nested at most 64 deep'])
  })

  it('is not checked against a format, which is an annotation', () => {
    expect(
      complaintsOf({ properties: { a: { format: 'email' }, b: { format: 'unheard of' } } }, { a: 'x', b: 'y' }),
    ).toStrictEqual([])
  })
})

describe('the validator of a subschema', () => {
  const parts = (units: number) => compileParts(checkSchema('{"properties":{"a":{"type":"string"}}}'), { units })

  it('says whether a value is valid', () => {
    const isValid = parts(1_000_000)
    expect([isValid('#/properties/a', 'x'), isValid('#/properties/a', 1)]).toStrictEqual([true, false])
  })

  it('is not made if the budget is used up', () => {
    expect(parts(0)('#/properties/missing', 'x')).toBeUndefined()
    expect(() => parts(1_000_000)('#/properties/missing', 'x')).toThrow('missing')
  })
})
