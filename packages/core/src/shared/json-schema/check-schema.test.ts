import { describe, expect, it } from 'vitest'
import { checkSchema } from './check-schema.ts'
import { SchemaRefused } from './schema-refused.ts'

const refusalOf = (schema: unknown): string => {
  try {
    checkSchema(typeof schema === 'string' ? schema : JSON.stringify(schema))
  } catch (error) {
    if (error instanceof SchemaRefused) return error.message
    throw error
  }
  return 'accepted'
}

const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => make(index))
const named = <T>(count: number, make: (index: number) => T) =>
  Object.fromEntries(times(count, (index) => [`d${index}`, make(index)]))

/** Returns a schema with `depth` schemas inside each other. */
const nested = (depth: number): object => (depth === 0 ? {} : { properties: { a: nested(depth - 1) } })

describe('a schema is accepted', () => {
  it.each([
    ['if it is empty', {}],
    ['with the $schema of draft-07', { $schema: 'http://json-schema.org/draft-07/schema#', type: 'object' }],
    ['with an $id, which is ignored', { $id: 'https://example.test/a.json', properties: { a: { $ref: '#' } } }],
    [
      'with members that have the names of keywords',
      { properties: { $ref: { type: 'string' }, $id: {}, $data: {}, type: {} }, required: ['$ref'] },
    ],
    ['with references to its definitions', { definitions: { 'a b': {} }, properties: { a: { $ref: '#/definitions/a%20b' } } }],
    [
      'with references to groups of definitions',
      {
        definitions: { text: { short: { $ref: '#/definitions/text/long' }, long: {} } },
        items: { $ref: '#/definitions/text/short' },
      },
    ],
    ['with references into a member of another name', { 'x-shared': [{ a: {} }], items: { $ref: '#/x-shared/0/a' } }],
    ['with references to its own $id', { $id: 'https://example.test/a.json', items: { $ref: 'https://example.test/a.json#' } }],
    [
      'with relative references to its own $id',
      { $id: 'https://example.test/a.json', definitions: { b: {} }, items: { $ref: 'a.json#/definitions/b' } },
    ],
    ['with a name as $id, and a reference to the name', { $id: 'urn:example:a', items: { $ref: 'urn:example:a' } }],
    ['with an $id for each place', { properties: { a: { $id: '#/properties/a', items: { $ref: '#' } } } }],
    ['with an $id of another document around no reference', { properties: { a: { $id: '/properties/a', type: 'string' } } }],
    ['if it refers to itself for members and items', { properties: { next: { $ref: '#' } }, items: { $ref: '#' } }],
    ['with unknown keywords', { 'x-order': 1, format: 'email', properties: { a: { examples: ['#'] } } }],
    ['with 32 schemas inside each other', nested(32)],
    [
      'with 2000 keywords',
      { allOf: times(199, () => times(10, (index) => [`x${index}`, 1] as const)).map((entries) => Object.fromEntries(entries)) },
    ],
  ])('%s', (_, schema) => {
    expect(refusalOf(schema)).toBe('accepted')
  })
})

describe('a schema is refused with a pointer and a reason for:', () => {
  it.each([
    ['http://example.test/schema.json', 'remote'],
    ['https://example.test/schema.json#/a', 'remote'],
    ['file:///etc/passwd', 'a file'],
    ['other.json', 'relative'],
    ['//example.test/a', 'without scheme'],
    ['product_schema:service:v1.0.0', 'another entry'],
    ['urn:uuid:3f1c4e9a-0000-4000-8000-000000000000', 'a name'],
    ['http://json-schema.org/draft-07/schema#', 'the meta-schema'],
  ])('a reference that leaves the document: %s (%s)', ($ref) => {
    expect(refusalOf({ properties: { a: { $ref } } })).toBe(
      'schema: at #/properties/a/$ref must stay within the document: copy the other schema into definitions, and refer to it there',
    )
  })

  it('a reference to another document than its own $id', () => {
    expect(refusalOf({ $id: 'https://example.test/a.json', items: { $ref: 'b.json#' } })).toContain(
      'must stay within the document',
    )
  })

  it.each(['#anchor', '#/%'])('a reference that is no JSON pointer: %s', ($ref) => {
    expect(refusalOf({ properties: { a: { $ref } } })).toBe(
      'schema: at #/properties/a/$ref must be # or a JSON pointer after #, such as #/definitions/address',
    )
  })

  it.each([
    ...['#/definitions/b', '#/properties', '#/properties/a/type', '#/constructor', '#/__proto__', '#/x/text', '#/x/list'],
    ...['#/x/none', '#/properties/a/default', '#/properties/a/enum/0'],
  ])('a reference to something that is not a schema: %s', ($ref) => {
    const a = { type: 'string', default: {}, enum: [{}] }
    expect(refusalOf({ x: { text: 'a', list: [] }, properties: { a, b: { $ref } } })).toBe(
      'schema: at #/properties/b/$ref points to no schema: it must name a place of this document that holds one',
    )
  })

  it('a fault in a subschema that only a reference uses, with the place of the subschema', () => {
    const refused = (member: object) =>
      refusalOf({ definitions: { group: { a: member } }, items: { $ref: '#/definitions/group/a' } })
    expect(refused({ type: 'text' })).toMatch('schema: at #/definitions/group/a/type must')
    expect(refused({ pattern: '(' })).toMatch('schema: at #/definitions/group/a/pattern must')
    expect(refused({ not: { $ref: 'b.json' } })).toMatch('schema: at #/definitions/group/a/not/$ref must')
    expect(refused({ allOf: [{ $ref: '#/definitions/group/a' }] })).toMatch('schema: at #/definitions/group/a refers to itself')
  })

  it.each([
    { $ref: '#' },
    { allOf: [{ $ref: '#' }] },
    { not: { anyOf: [{ $ref: '#' }] } },
    JSON.parse('{"if":{},"then":{"$ref":"#"}}') as object,
    { dependencies: { a: { $ref: '#' } } },
  ])('a reference to itself for the same value: %j', (schema) => {
    expect(refusalOf(schema)).toContain('refers to itself without going into a member or an item')
  })

  it('references that lead to each other', () => {
    const definitions = { a: { anyOf: [{ $ref: '#/definitions/b' }] }, b: { allOf: [{ $ref: '#/definitions/a' }] } }
    expect(refusalOf({ definitions })).toContain('refers to itself')
  })

  it('references that multiply', () => {
    const definitions = named(30, (index) => ({ anyOf: times(2, () => ({ $ref: `#/definitions/d${index + 1}` })) }))
    expect(refusalOf({ definitions: { ...definitions, d30: {} }, $ref: '#/definitions/d0' })).toContain('takes too much work')
  })

  it('a long chain of references', () => {
    const definitions = { ...named(100, (index) => ({ $ref: `#/definitions/d${index + 1}` })), d100: {} }
    expect(refusalOf({ definitions })).toContain('goes through more than 64 schemas for one value')
  })

  it.each([
    [{ properties: { a: { minimum: { $data: '1/b' } } } }, '#/properties/a/minimum'],
    [{ properties: { a: { const: { $data: '1/b' } } } }, '#/properties/a/const'],
    [{ properties: { a: { format: { $data: '1/b' } } } }, '#/properties/a/format'],
    [{ items: { $data: '1/b' } }, '#/items/$data'],
  ])('$data: %j', (schema, pointer) => {
    expect(refusalOf(schema)).toBe(`schema: at ${pointer} must not use $data`)
  })

  it('an $id below the root that gives another meaning to references', () => {
    const a = { $id: 'http://example.test/a', items: { $ref: '#' } }
    expect(refusalOf({ definitions: { a } })).toBe(
      'schema: at #/definitions/a/$id must be removed: the references inside it count from the root of the document',
    )
  })

  it.each(['^(a)\\1$', '(?=a)', '^(?:x{1000}){1000}$', '('])('a pattern that does not run in linear time: %s', (pattern) => {
    expect(refusalOf({ properties: { a: { pattern } } })).toMatch(/^schema: at #\/properties\/a\/pattern must /)
    expect(refusalOf({ patternProperties: { [pattern]: {} } })).toMatch(/^schema: at #\/patternProperties\/.* must /)
  })

  it('too many large patterns', () => {
    const properties = named(20, (index) => ({ pattern: `^${'a'.repeat(index)}[a-z]{900}$` }))
    expect(refusalOf({ properties })).toContain('is one pattern too many')
  })

  it.each([
    [{ type: 'text' }, '#/type'],
    [{ properties: { a: { minimum: '1' } } }, '#/properties/a/minimum'],
    [{ required: 'name' }, '#/required'],
    [{ properties: [] }, '#/properties'],
    [{ properties: { a: 5 } }, '#/properties/a'],
    [{ anyOf: [] }, '#/anyOf'],
    [{ multipleOf: 0 }, '#/multipleOf'],
  ])('JSON that is not a draft-07 schema: %j', (schema, pointer) => {
    expect(refusalOf(schema)).toMatch(`schema: at ${pointer} must`)
  })

  it('another draft', () => {
    const $schema = 'https://json-schema.org/draft/2020-12/schema'
    expect(refusalOf({ $schema })).toBe('schema: at #/$schema must be http://json-schema.org/draft-07/schema#')
  })

  it.each(['', '{', 'nonsense', '{"a":1,}', '\uFEFF{}'])('text that is not JSON: %j', (text) => {
    expect(refusalOf(text)).toBe('schema: must be JSON')
  })

  it.each(['true', '[]', 'null', '"text"', '5'])('JSON that is not an object: %s', (text) => {
    expect(refusalOf(text)).toBe('schema: must be a JSON object')
  })

  it('more than 64 KB', () => {
    const text = (bytes: number) => `{"title":"${'é'.repeat((bytes - 12) / 2)}"}`
    expect(refusalOf(text(64 * 1024))).toBe('accepted')
    expect(refusalOf(text(64 * 1024 + 2))).toBe(
      'schema: must be at most 65536 bytes without white space, and has 65538: move repeated parts into definitions, or shorten descriptions',
    )
  })

  it('its size, not counting white space, which is not stored', () => {
    expect(refusalOf(`{\n${' '.repeat(100_000)}"title": "a"}`)).toBe('accepted')
    expect(checkSchema('{ "title": "a",\n  "enum": [ 1 ] }').text).toBe('{"title":"a","enum":[1]}')
  })

  it('more than 32 schemas inside each other', () => {
    expect(refusalOf(nested(33))).toContain('is nested too deep: at most 32 schemas may stand in each other')
  })

  it.each([
    ['objects', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`],
    ['arrays', `{"enum":${'['.repeat(30_000)}${']'.repeat(30_000)}}`],
  ])('thousands of %s inside each other', (_, text) => {
    expect(refusalOf(text)).toBe('schema: must be nested at most 100 deep')
  })

  it('more than 2000 keywords', () => {
    expect(refusalOf({ properties: named(2000, () => ({ type: 'string' })) })).toBe('schema: must have at most 2000 keywords')
  })

  it('more than 200 alternatives', () => {
    expect(refusalOf({ properties: { a: { anyOf: times(201, () => true) } } })).toBe(
      'schema: at #/properties/a/anyOf must have at most 200 schemas',
    )
  })

  it.each([
    ['a number beyond any double', '{"properties":{"a":{"maximum":1e400}}}', '#/properties/a/maximum must be a number that'],
    ['a negative number beyond any double', '{"enum":[1,-1e400]}', '#/enum/1 must be a number that a double can hold'],
    ['an enum with a longer number', '{"enum":[1,653247040368672768]}', '#/enum/1 must be a number that a double holds with all'],
    ['a bound with a longer number', '{"properties":{"a":{"maximum":999999999999999.99}}}', '#/properties/a/maximum must be'],
    ['an unpaired surrogate', '{"title":"\\ud800"}', '#/title must not contain NUL or unpaired surrogates'],
    ['an unpaired surrogate in a name', '{"properties":{"\\udc00":{}}}', '#/properties must not have names that contain NUL'],
    ['NUL', '{"const":"a\\u0000"}', '#/const must not contain NUL or unpaired surrogates'],
    ['a duplicate member', '{"required":["a"],"type":"object","required":["b"]}', '#/required must not be given twice'],
    ['a duplicate member inside another', '{"properties":{"a":{"type":"string"},"\\u0061":{}}}', '#/properties/a must not be'],
    [
      'deep nesting that a duplicate member hides',
      `{"a":${'['.repeat(200)}${']'.repeat(200)},"a":1}`,
      'nested at most 101 levels',
    ],
  ])('text that cannot be stored as it is written: %s', (_, text, complaint) => {
    expect(refusalOf(text)).toContain(complaint)
  })

  it('a member named __proto__, which no value can have', () => {
    expect(refusalOf('{"properties":{"__proto__":{"type":"string"}}}')).toContain('must not name a member __proto__')
    expect(Object.prototype).not.toHaveProperty('type')
  })

  it('a very long name, with a short message', () => {
    expect(refusalOf({ properties: { ['x'.repeat(10_000)]: { type: 1 } } }).length).toBeLessThan(400)
  })
})
