import { beforeAll, describe, expect, it } from 'vitest'
import { checkSchema } from './check-schema.ts'
import { compileSchema } from './compile-schema.ts'

/** Returns the processor time of this thread in milliseconds, or of the process if Node does not report the time of a thread. */
const processorTime = () => {
  const { user, system } = process.threadCpuUsage?.() ?? process.cpuUsage()
  return (user + system) / 1000
}

/**
 * Returns the least processor time of three calls. With other load, V8 compiles later, so a first call is interpreted for longer:
 * only the quietest call shows the work itself.
 */
const leastTime = (work: () => unknown): number =>
  Math.min(
    ...times(3, () => {
      const began = processorTime()
      work()
      return processorTime() - began
    }),
  )

const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => make(index))
const named = <T>(count: number, make: (index: number) => T, prefix = 'k') =>
  Object.fromEntries(times(count, (index) => [`${prefix}${index}`, make(index)]))

/** A value nested as deep as allowed. */
const chain = times(60, () => 0).reduce<object>((inner) => ({ a: inner }), {})

const cases: readonly (readonly [what: string, schema: object, value: unknown])[] = [
  ['100,000 items that must be unique', { properties: { a: { uniqueItems: true } } }, { a: times(100_000, (index) => index) }],
  ['19,000 items that must be unique', { properties: { a: { uniqueItems: true } } }, { a: times(19_000, (index) => index) }],
  ['6,000 objects that must differ', { properties: { a: { uniqueItems: true } } }, { a: times(6000, (index) => ({ index })) }],
  [
    'arrays of arrays that must differ, at each depth',
    { uniqueItems: true, items: { $ref: '#' } },
    times(130, (row) => times(130, (column) => [row, column])),
  ],
  ['19,000 wrong items', { properties: { a: { items: { type: 'string' } } } }, { a: times(19_000, () => 1) }],
  ['items that each lack 1000 members', { items: { required: times(1000, (index) => `p${index}`) } }, times(19_000, () => ({}))],
  ['items of 200 alternatives', { items: { anyOf: times(200, (index) => ({ const: `x${index}` })) } }, times(19_000, () => 'y')],
  [
    'items of 200 alternatives that exclude each other',
    { items: { oneOf: times(200, (index) => ({ required: [`r${index}`] })) } },
    times(19_000, () => ({})),
  ],
  ['items of 3000 values', { items: { enum: times(3000, (index) => `value ${index}`) } }, times(19_000, () => 'y')],
  [
    'items of 100 objects that differ in the last of 50 members',
    { items: { enum: times(100, (index) => ({ ...named(50, () => 'x'), last: index })) } },
    times(350, () => ({ ...named(50, () => 'x'), last: -1 })),
  ],
  [
    'items of 190 long texts in objects',
    { items: { enum: times(190, (index) => ({ text: `${'x'.repeat(250)}${index}` })) } },
    times(9000, () => ({ text: `${'x'.repeat(250)}-1` })),
  ],
  ['items that must contain', { items: { contains: { type: 'string' } } }, times(140, () => times(140, () => 1))],
  [
    '19,000 members that are not allowed',
    { additionalProperties: false, properties: named(50, () => true) },
    named(19_000, () => 1, 'x'),
  ],
  ['19,000 names that are not allowed', { propertyNames: { maxLength: 1 } }, named(19_000, () => 1)],
  ['19,000 names and 90 patterns', { patternProperties: named(90, () => true, '^x[a-z]*') }, named(19_000, () => 1)],
  [
    'members counted 900 times',
    { allOf: times(190, () => ({ minProperties: 1, maxProperties: 1_000_000 })) },
    named(19_000, () => 1),
  ],
  [
    'a megabyte of text measured 190 times',
    { properties: { a: { allOf: times(190, () => ({ minLength: 1 })) } } },
    { a: 'x'.repeat(1024 * 1024) },
  ],
  [
    'recursion that doubles at each depth',
    { anyOf: times(2, (index) => ({ properties: { a: { $ref: '#' } }, required: [`r${index}`] })) },
    chain,
  ],
  [
    'recursion through a schema of 600 members',
    { properties: { ...named(600, () => ({ type: 'string', minLength: 1 })), a: { $ref: '#' } } },
    chain,
  ],
  ['multiples of the tiniest number', { items: { multipleOf: 5e-324 } }, times(19_000, () => 1.7976931348623157e308)],
  ['64 KB against (a+)+', { properties: { a: { pattern: '^(a+)+$' } } }, { a: `${'a'.repeat(65_536)}!` }],
  ['64 KB against (a|a)*', { properties: { a: { pattern: '^(a|a)*$' } } }, { a: `${'a'.repeat(65_536)}!` }],
  ['64 KB against [a-z]+', { properties: { a: { pattern: '^[a-z]+$' } } }, { a: 'a'.repeat(65_536) }],
  [
    '64 KB against an automaton that explodes',
    { properties: { a: { pattern: '^(a|b|c)*a(a|b|c){20}$' } } },
    { a: 'abcbca'.repeat(10_900) },
  ],
  [
    '1 KB against an automaton that explodes',
    { properties: { a: { pattern: '^(a|b|c)*a(a|b|c){20}$' } } },
    { a: 'abcbca'.repeat(170) },
  ],
  ['texts against large patterns', { items: { pattern: '^(?:a?){300}a{90}$' } }, times(300, () => 'a'.repeat(200))],
]

describe('validating a value takes at most 50 ms of processor time', () => {
  beforeAll(() => {
    // The first use of a library must not be part of the measured time.
    compileSchema(checkSchema('{"properties":{"a":{"pattern":"^(a|b)+$"}}}'))({ a: 'abab' })
  })

  it.each(cases)('%s', (_, schema, value) => {
    const validate = compileSchema(checkSchema(JSON.stringify(schema)))
    expect(leastTime(() => validate(value))).toBeLessThan(50)
    expect(validate(value).length).toBeLessThanOrEqual(20)
  })

  it('also for the hundredth value in sequence', () => {
    const validate = compileSchema(checkSchema('{"properties":{"a":{"pattern":"^(a|b|c)*a(a|b|c){20}$"}}}'))
    for (let round = 0; round < 100; round += 1) {
      const value = { a: times(1000, (index) => 'abc'[(index * index + round) % 3]).join('') }
      expect(leastTime(() => validate(value))).toBeLessThan(50)
    }
  })

  it('because a value that would take more work is refused with a complaint', () => {
    const validate = compileSchema(checkSchema('{"items":{"required":["a","b","c","d","e","f","g","h"]}}'))
    expect(validate(times(19_000, () => ({})))).toStrictEqual([
      { field: '', message: 'must be smaller or simpler: checking it takes too much work' },
    ])
    expect(validate(times(20_000, () => ({})))).toStrictEqual([{ field: '', message: 'must hold at most 20000 values' }])
    expect(validate(times(2, () => 'x'.repeat(600_000)))).toStrictEqual([
      { field: '', message: 'must hold at most 1048576 characters' },
    ])
  })

  it('and an ordinary large value is still accepted', () => {
    const schema = {
      type: 'object',
      required: ['name'],
      properties: {
        name: { type: 'string', minLength: 1, maxLength: 200, pattern: '^[^<>]*$' },
        items: {
          type: 'array',
          uniqueItems: true,
          items: {
            type: 'object',
            additionalProperties: false,
            properties: { sku: { type: 'string', pattern: '^[A-Z]{3}-[0-9]{4,8}$' }, count: { type: 'integer', minimum: 0 } },
          },
        },
      },
    }
    const items = times(1000, (index) => ({ sku: `ABC-${10_000 + index}`, count: index }))
    expect(compileSchema(checkSchema(JSON.stringify(schema)))({ name: 'x'.repeat(200), items })).toStrictEqual([])
  })
})
