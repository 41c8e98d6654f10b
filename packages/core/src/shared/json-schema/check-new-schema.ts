import { appliedSchemas, isSchemaObject, type Schemas } from '../draft-07.ts'
import { type CheckedSchema, checkSchema } from './check-schema.ts'
import { SchemaRefused } from './schema-refused.ts'

/** Effects of a schema that its author might not expect. */
export interface SchemaNotes {
  /** The JSON pointers to each `format`, which is a note and is not checked. */
  readonly uncheckedFormats: readonly string[]
}

export type NewSchema = CheckedSchema & SchemaNotes

/** The keywords that can refuse a value because a schema inside them accepts the value. */
const INVERTING: ReadonlySet<string> = new Set(['oneOf', 'not', 'if'])

/** Returns every schema inside an inverting keyword, also through references, with the keyword. */
const invertedSchemas = (schemas: Schemas): ReadonlyMap<string, string> => {
  const inverted = new Map<string, string>()
  for (const [pointer, schema] of schemas) {
    for (const applied of appliedSchemas(pointer, schema)) {
      if (INVERTING.has(applied.keyword)) inverted.set(applied.pointer, applied.keyword)
    }
  }
  // The iteration also comes to the schemas that it adds.
  for (const [pointer, keyword] of inverted) {
    for (const applied of appliedSchemas(pointer, schemas.get(pointer) ?? true)) {
      if (!inverted.has(applied.pointer)) inverted.set(applied.pointer, keyword)
    }
  }
  return inverted
}

/** Returns the pointers to each `format` that is only a note. @throws SchemaRefused if the note would change a verdict */
const uncheckedFormats = (schemas: Schemas): readonly string[] => {
  const inverted = invertedSchemas(schemas)
  const formats = [...schemas].flatMap(([pointer, schema]) =>
    isSchemaObject(schema) && Object.hasOwn(schema, 'format') && !Object.hasOwn(schema, '$ref') ? [pointer] : [],
  )
  for (const pointer of formats) {
    const keyword = inverted.get(pointer)
    if (keyword === undefined) continue
    throw new SchemaRefused(`must be removed or become a pattern: it is not checked, so ${keyword} could refuse valid data`, {
      pointer: `${pointer}/format`,
    })
  }
  return formats.map((pointer) => `${pointer}/format`)
}

/**
 * Checks a schema that is to be registered. Schemas in the registry may be older than the rule for `format`, so only `checkSchema`
 * reads those.
 * @throws SchemaRefused as `checkSchema`, and for a `format` inside `oneOf`, `not` or `if`
 */
export const checkNewSchema = (text: string): NewSchema => {
  const checked = checkSchema(text)
  return { ...checked, uncheckedFormats: uncheckedFormats(checked.schemas) }
}
