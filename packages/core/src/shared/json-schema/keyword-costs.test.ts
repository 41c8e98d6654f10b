import { describe, expect, it } from 'vitest'
import type { SchemaObject } from '../draft-07.ts'
import { costOf } from './keyword-costs.ts'

const texts = (count: number) => Array.from({ length: count }, (_, index) => String(index).padStart(32, 'x'))

describe('the fixed cost of a schema', () => {
  it.each<[cost: number, of: string, schema: SchemaObject]>([
    [1, 'no keywords', {}],
    [1, 'annotations only', { title: 'Name', description: 'Of a person' }],
    [1, 'a reference, whatever is beside it', { $ref: '#/definitions/a', required: ['a', 'b'] }],
    [2, 'one keyword', { type: 'string' }],
    [3, 'two keywords', { type: 'string', minLength: 1 }],
    // Each text of 32 characters counts 2, the list 1, and 12 of them a unit: 49 / 12.
    [7, '24 listed texts', { enum: texts(24) }],
    [4, 'a constant of 11 texts', { const: texts(11) }],
    [5, 'a constant of 12 texts', { const: texts(12) }],
    [4, 'a constant of 18 numbers, at two depths', { const: { a: Array.from({ length: 12 }, () => 1), b: [1, 2, 3, 4, 5, 6] } }],
    [3, 'the constant null', { const: null }],
    [11, 'three required names, each 3', { required: ['a', 'b', 'c'] }],
    [5, 'three names in two dependencies', { dependencies: { a: ['b', 'c'], d: ['e'] } }],
    [5, 'three properties', { properties: { a: true, b: true, c: true } }],
    [4, 'two schemas that must all fit', { allOf: [true, true] }],
    [4, 'two alternatives', { anyOf: [true, true] }],
    [4, 'two alternatives that exclude each other', { oneOf: [true, true] }],
  ])('is %i for %s', (fixed, _, schema) => {
    expect(costOf(schema)).toStrictEqual({ fixed, perCharacter: expect.any(Number), perMember: 0 })
  })
})

describe('the cost of a schema for every member of an object', () => {
  it.each<[cost: number, schema: SchemaObject]>([
    [0, { properties: { a: true } }],
    [4, { additionalProperties: { type: 'string' } }],
    [8, { additionalProperties: false }],
    [6, { propertyNames: { maxLength: 3 } }],
    [4, { minProperties: 1 }],
    [8, { minProperties: 1, maxProperties: 2 }],
    [12, { patternProperties: { '^a': true, '^b': true, '^c': true } }],
  ])('is %i for %j', (perMember, schema) => {
    expect(costOf(schema).perMember).toBe(perMember)
  })
})

describe('the cost of a schema for every character of a text', () => {
  it.each<[cost: number, schema: SchemaObject]>([
    [0, { type: 'string' }],
    [1 / 32, { minLength: 1 }],
    [1 / 32, { maxLength: 9 }],
    [2 / 32, { minLength: 1, maxLength: 9 }],
  ])('is %d for %j', (perCharacter, schema) => {
    expect(costOf(schema).perCharacter).toBe(perCharacter)
  })
})
