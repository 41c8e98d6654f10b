import { describe, expect, it } from 'vitest'
import { checkNewSchema } from './check-new-schema.ts'

const formatsOf = (schema: object) => checkNewSchema(JSON.stringify(schema)).uncheckedFormats
const mail = { type: 'string', format: 'email' }

describe('a new schema', () => {
  it('is accepted, and the result lists the place of each `format` that is not checked', () => {
    const schema = {
      format: 'a',
      definitions: { unused: mail },
      properties: { format: mail, list: { items: mail } },
      allOf: [mail],
      anyOf: [{ contains: mail }],
    }
    expect(formatsOf(schema)).toStrictEqual([
      '#/format',
      '#/definitions/unused/format',
      '#/properties/format/format',
      '#/properties/list/items/format',
      '#/allOf/0/format',
      '#/anyOf/0/contains/format',
    ])
  })

  it.each([
    ['oneOf', { oneOf: [{ type: 'null' }, mail] }, '#/oneOf/1'],
    ['not', { properties: { a: { not: { properties: { b: mail } } } } }, '#/properties/a/not/properties/b'],
    ['if', JSON.parse('{"if":{"format":"email"},"then":{"minLength":1}}') as object, '#/if'],
    ['oneOf', { definitions: { mail }, oneOf: [{ items: { $ref: '#/definitions/mail' } }] }, '#/definitions/mail'],
    ['not', { x: { mail: { allOf: [mail] } }, not: { $ref: '#/x/mail' } }, '#/x/mail/allOf/0'],
  ])('is refused for a format inside %s, also through a reference', (keyword, schema, pointer) => {
    expect(() => formatsOf(schema)).toThrow(
      `schema: at ${pointer}/format must be removed or become a pattern: it is not checked, so ${keyword} could refuse valid data`,
    )
  })

  it.each([
    ['beside a $ref, which draft-07 ignores', { definitions: { a: {} }, not: { $ref: '#/definitions/a', format: 'email' } }],
    ['that is the name of a member', { not: { properties: { format: { type: 'string' } }, required: ['format'] } }],
    ['in a definition that nothing inside refers to', { not: { definitions: { mail } } }],
    ['after a condition', JSON.parse('{"if":{"minLength":1},"then":{"format":"a"},"else":{"format":"b"}}') as object],
  ])('can have a format %s', (_, schema) => {
    expect(() => formatsOf(schema)).not.toThrow()
  })
})
