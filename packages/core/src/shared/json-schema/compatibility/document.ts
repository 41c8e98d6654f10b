import canonicalize from 'canonicalize'
import type { CheckedSchema } from '../check-schema.ts'
import { compileParts } from '../compile-schema.ts'
import { fromReference, mapSubschemas, type Schema, subschemas, toPointer } from '../schema.ts'

/** A document of schemas, with what is asked of it again and again. */
export interface Document {
  /** Follows a `$ref`, and what it leads to, to a schema without. */
  resolve(schema: Schema): Schema
  /** Whether the schema accepts the value; `undefined` where that is not known, as of a schema that is not the document's. */
  accepts(schema: Schema, value: unknown): boolean | undefined
  /** Whether the pattern, one of the document's, matches the text. */
  matches(pattern: string, text: string): boolean
  /** A text that schemas share only where they decide the same. */
  identityOf(schema: Schema): string
}

/** A schema and the document that its references count from. */
export interface Located {
  readonly document: Document
  readonly schema: Schema
}

/** Without what decides nothing, and without definitions, which count only where they are referred to. */
const bare = (schema: Schema): Schema => {
  if (typeof schema === 'boolean') return schema
  const { definitions: _, $defs: __, ...decisive } = mapSubschemas(schema, bare)
  return decisive
}

const referencesIn = (schema: Schema): readonly string[] => {
  if (typeof schema === 'boolean') return []
  if (typeof schema.$ref === 'string') return [schema.$ref]
  return subschemas(schema).flatMap((inner) => (inner.place === 'elsewhere' ? [] : referencesIn(inner.schema)))
}

const memoised = <K, V>(compute: (key: K) => V): ((key: K) => V) => {
  const known = new Map<K, V>()
  return (key) => {
    const value = known.get(key) ?? compute(key)
    known.set(key, value)
    return value
  }
}

export const createDocument = (checked: CheckedSchema): Document => {
  const pointers = new Map<Schema, string>([...checked.schemas].map(([pointer, schema]) => [schema, pointer]))
  const validatorAt = memoised(compileParts(checked))
  const target = (reference: string): Schema => checked.schemas.get(toPointer(fromReference(reference) ?? [])) ?? true

  const resolve = (schema: Schema): Schema =>
    typeof schema === 'boolean' || typeof schema.$ref !== 'string' ? schema : resolve(target(schema.$ref))

  const reachedFrom = (schema: Schema): ReadonlyMap<string, Schema> => {
    const reached = new Map<string, Schema>()
    const reach = (from: Schema): void => {
      for (const reference of referencesIn(from)) {
        if (reached.has(reference)) continue
        reached.set(reference, target(reference))
        reach(target(reference))
      }
    }
    reach(schema)
    return reached
  }

  return {
    resolve,
    accepts: (schema, value) => {
      if (typeof schema === 'boolean') return schema
      const pointer = pointers.get(schema)
      return pointer === undefined ? undefined : validatorAt(pointer)(value)
    },
    matches: (pattern, text) => checked.patterns.get(pattern)?.test(text) ?? false,
    identityOf: memoised((schema) => {
      const reached = [...reachedFrom(schema)].sort(([a], [b]) => (a < b ? -1 : 1))
      return canonicalize([bare(schema), ...reached.map(([reference, to]) => [reference, bare(to)])]) ?? ''
    }),
  }
}
