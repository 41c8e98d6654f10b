import canonicalize from 'canonicalize'
import {
  fromReference,
  isSchemaObject,
  mapSubschemas,
  type Schema,
  type SchemaObject,
  subschemas,
  toPointer,
} from '../../draft-07.ts'
import { memoize } from '../../memoize.ts'
import type { CheckedSchema } from '../check-schema.ts'
import { compileParts, type WorkBudget } from '../compile-schema.ts'

/** Two versions of a schema. Each schema is an object of one of them, or is made of such objects. */
export interface Versions {
  /** Follows references until a schema without `$ref`. */
  resolve(schema: Schema): Schema
  /** Returns whether the schema accepts the value; `undefined` if that is too much work, or the schema is of neither version. */
  accepts(schema: Schema, value: unknown): boolean | undefined
  matches(pattern: string, text: string): boolean
  /** Returns a text that two schemas share only when both accept the same values. */
  idOf(schema: Schema): string
}

export const createVersions = (versions: readonly CheckedSchema[], budget: WorkBudget): Versions => {
  const targets = new Map<Schema, Schema>()
  const validators = new Map<Schema, (value: unknown) => boolean | undefined>()
  for (const checked of versions) {
    const accepts = compileParts(checked, budget)
    for (const [pointer, schema] of checked.schemas) {
      if (typeof schema === 'boolean') continue
      validators.set(schema, (value) => accepts(pointer, value))
      const path = typeof schema.$ref === 'string' ? fromReference(schema.$ref) : undefined
      if (path !== undefined) targets.set(schema, checked.schemas.get(toPointer(path)) ?? true)
    }
  }
  const resolve = (schema: Schema): Schema => (targets.has(schema) ? resolve(targets.get(schema) ?? true) : schema)

  /** Returns what a schema says by itself, and the schemas inside it. */
  const shapeOf = memoize((schema: SchemaObject) => {
    const { definitions: _, $defs: __, ...own } = mapSubschemas(schema, () => true)
    const inner = subschemas(schema).filter(({ appliesTo }) => appliesTo !== 'references_only')
    const sorted = inner.toSorted((one, other) => (one.path.join() < other.path.join() ? -1 : 1))
    return { own: canonicalize(own), inner: sorted.map((each) => resolve(each.schema)) }
  })
  const textOf = (schema: SchemaObject): string => `${shapeOf(schema).own} ${shapeOf(schema).inner.map(idOf).join()}`
  const numbers = new Map<string, string>()
  const numberOf = (text: string): string => numbers.get(text) ?? numbers.set(text, String(numbers.size)).get(text) ?? ''
  const schemas = [...validators.keys()].filter(isSchemaObject).filter((schema) => !targets.has(schema))
  const ids = new Map<Schema, string>(schemas.map((schema) => [schema, '']))
  const idOf = (given: Schema): string => {
    const schema = resolve(given)
    if (typeof schema === 'boolean') return String(schema)
    return ids.get(schema) ?? ids.set(schema, numberOf(textOf(schema))).get(schema) ?? ''
  }
  // At first all schemas count as equal. Each round separates schemas with different inner ones, until a round finds none.
  for (let count = -1; count < numbers.size; ) {
    count = numbers.size
    const texts = schemas.map(textOf)
    numbers.clear()
    for (const [index, schema] of schemas.entries()) ids.set(schema, numberOf(texts[index] ?? ''))
  }
  return {
    resolve,
    accepts: (schema, value) => (typeof schema === 'boolean' ? schema : validators.get(schema)?.(value)),
    matches: (pattern, text) => versions.some(({ patterns }) => patterns.get(pattern)?.test(text)),
    idOf,
  }
}
