import { builtInSchemas as coreSchemas, productSchemaKey } from '@countersign/core/storage'
import { expect, it } from 'vitest'
import { builtInSchemas } from './0001-built-in-schemas.ts'

it('the migrations insert the built-in schemas of the core byte for byte', () => {
  const expected = coreSchemas.map(({ type, version, title, schema }) => ({
    key: productSchemaKey(type, version),
    type,
    version,
    title,
    active: 1,
    required_fields: JSON.stringify(schema.required),
    registered_at: 0,
    schema_text: JSON.stringify(schema),
  }))
  expect(builtInSchemas).toStrictEqual(expected)
})
