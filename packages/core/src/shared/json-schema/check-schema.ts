import { Ajv } from 'ajv'
import { isSchemaObject, type SchemaObject, type Schemas, subschemas, toPointer } from '../draft-07.ts'
import { inspectJson } from '../json/inspect-json.ts'
import { JsonRefused } from '../json/json-refused.ts'
import { checkReferences } from './check-references.ts'
import { type CollectedSchemas, collectSchemas } from './collect-schemas.ts'
import { compilePattern, type Pattern, PatternRefused } from './pattern.ts'
import { SchemaRefused } from './schema-refused.ts'

/** The limits of a schema, so that every use of the schema ends in time. */
const limits = {
  /** Bytes of the text that is stored, which has no white space between its parts. */
  bytes: 64 * 1024,
  /** The most arrays and objects inside each other, also in `enum` and `const`. */
  nesting: 100,
  keywords: 2000,
  /** The most schemas in one `anyOf`, `oneOf` or `allOf`. The time to compile them grows with the square of their number. */
  alternatives: 200,
  /** The most instructions of all patterns together. */
  patternSize: 10_000,
} as const

const DRAFT_07 = /^https?:\/\/json-schema\.org\/draft-07\/schema#?$/

/** A schema that passed all checks, with its subschemas by pointer. Every `$ref` is a plain JSON pointer. */
export interface CheckedSchema extends CollectedSchemas {
  readonly schema: SchemaObject
  /** The schema as it was written, without white space. */
  readonly text: string
  /** The patterns of the schema, by source. */
  readonly patterns: ReadonlyMap<string, Pattern>
}

const parse = (text: string): SchemaObject => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new SchemaRefused('must be JSON', { cause })
  }
  if (!isSchemaObject(value)) throw new SchemaRefused('must be a JSON object')
  return value
}

/** Limits the nesting. Runs first and without recursion, so that all later checks may recurse. */
const checkNesting = (schema: SchemaObject): void => {
  let level: readonly object[] = [schema]
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > limits.nesting) throw new SchemaRefused(`must be nested at most ${limits.nesting} deep`)
    if (level.some((value) => Object.hasOwn(value, '__proto__'))) {
      throw new SchemaRefused('must not name a member __proto__: no value can have it')
    }
    level = level
      .flatMap((value): unknown[] => Object.values(value))
      .filter((inner): inner is object => typeof inner === 'object' && inner !== null)
  }
}

/** Checks that the text can be stored and returned as it was written. */
const checkText = (text: string): void => {
  try {
    // A duplicate member can hide deeper nesting than the parsed value has.
    inspectJson(text, { depth: limits.nesting + 1 })
  } catch (cause) {
    if (!(cause instanceof JsonRefused)) throw cause
    throw new SchemaRefused(cause.takes, { pointer: toPointer(cause.path.map(String)), cause })
  }
}

/** Returns the text to store. @throws SchemaRefused if the text is too long */
const textToStore = (schema: SchemaObject): string => {
  const text = JSON.stringify(schema)
  const bytes = Buffer.byteLength(text, 'utf8')
  if (bytes <= limits.bytes) return text
  throw new SchemaRefused(
    `must be at most ${limits.bytes} bytes without white space, and has ${bytes}: move repeated parts into definitions, or shorten descriptions`,
  )
}

const metaSchema = new Ajv({ strict: false, validateFormats: false, logger: false })

const checkIsDraft07 = (schema: SchemaObject, { schemas, detached }: CollectedSchemas): void => {
  const dialect = schema.$schema
  if (dialect !== undefined && (typeof dialect !== 'string' || !DRAFT_07.test(dialect))) {
    throw new SchemaRefused('must be http://json-schema.org/draft-07/schema#', { pointer: '#/$schema' })
  }
  const { $schema: _, $id: __, ...rest } = schema
  const parts = [
    ['#', rest] as const,
    ...detached.map((path) => [toPointer(path), schemas.get(toPointer(path)) ?? true] as const),
  ]
  for (const [pointer, part] of parts) {
    if (metaSchema.validateSchema(part) === true) continue
    const [error] = metaSchema.errors ?? []
    throw new SchemaRefused(error?.message ?? 'must be a schema of draft-07', {
      pointer: `${pointer}${error?.instancePath ?? ''}`,
    })
  }
}

const isDataReference = (value: unknown): boolean => isSchemaObject(value) && Object.hasOwn(value, '$data')

/** Returns whether an `$id` below the root would give other meaning to references inside; `#/properties/a` does not. */
const changesReferences = (schemas: Schemas, pointer: string, id: unknown): boolean =>
  typeof id === 'string' &&
  !id.startsWith('#') &&
  [...schemas].some(
    ([inner, schema]) => inner.startsWith(`${pointer}/`) && isSchemaObject(schema) && Object.hasOwn(schema, '$ref'),
  )

const checkKeywords = (schemas: Schemas): void => {
  let count = 0
  for (const [pointer, schema] of schemas) {
    const inner = new Set(subschemas(schema).map(({ path: [keyword] }) => keyword))
    for (const [keyword, value] of Object.entries(schema)) {
      count += 1
      if (count > limits.keywords) throw new SchemaRefused(`must have at most ${limits.keywords} keywords`)
      if (keyword === '$data' || (!inner.has(keyword) && isDataReference(value))) {
        throw new SchemaRefused('must not use $data', { pointer: `${pointer}/${keyword}` })
      }
      if (Array.isArray(value) && inner.has(keyword) && value.length > limits.alternatives) {
        throw new SchemaRefused(`must have at most ${limits.alternatives} schemas`, { pointer: `${pointer}/${keyword}` })
      }
      if (keyword === '$id' && pointer !== '#' && changesReferences(schemas, pointer, value)) {
        throw new SchemaRefused('must be removed: the references inside it count from the root of the document', {
          pointer: `${pointer}/$id`,
        })
      }
    }
  }
}

const sourcesOf = (schema: SchemaObject): readonly (readonly [source: string, path: readonly string[]])[] => {
  if (Object.hasOwn(schema, '$ref')) return []
  const { pattern, patternProperties } = schema
  const own = typeof pattern === 'string' ? [[pattern, ['pattern']] as const] : []
  return [...own, ...Object.keys(patternProperties ?? {}).map((source) => [source, ['patternProperties', source]] as const)]
}

const checkPatterns = (schemas: Schemas): ReadonlyMap<string, Pattern> => {
  const patterns = new Map<string, Pattern>()
  let size = 0
  for (const [pointer, schema] of schemas) {
    for (const [source, path] of typeof schema === 'boolean' ? [] : sourcesOf(schema)) {
      if (patterns.has(source)) continue
      const place = `${pointer}${toPointer(path).slice(1)}`
      const pattern = checkPattern(place, source)
      size += pattern.size
      if (size > limits.patternSize)
        throw new SchemaRefused('is one pattern too many: together they take too many steps', { pointer: place })
      patterns.set(source, pattern)
    }
  }
  return patterns
}

const checkPattern = (pointer: string, source: string): Pattern => {
  try {
    return compilePattern(source)
  } catch (cause) {
    if (!(cause instanceof PatternRefused)) throw cause
    throw new SchemaRefused(cause.message, { pointer, cause })
  }
}

/**
 * Parses a draft-07 schema and checks that every use of it is safe and fast: references stay inside the document, patterns run in
 * linear time, and the work for one value is bounded. @throws SchemaRefused with a pointer and the reason
 */
export const checkSchema = (given: string): CheckedSchema => {
  const schema = parse(given)
  checkNesting(schema)
  checkText(given)
  const text = textToStore(schema)
  const collected = collectSchemas(schema)
  checkKeywords(collected.schemas)
  checkIsDraft07(schema, collected)
  checkReferences(collected.schemas)
  return { schema, text, ...collected, patterns: checkPatterns(collected.schemas) }
}
