import canonicalize from 'canonicalize'
import type { CheckedSchema } from '../check-schema.ts'
import { compileParts } from '../compile-schema.ts'
import { fromReference, mapSubschemas, type Schema, subschemas, toPointer } from '../schema.ts'

/** A schema document: one version of a schema, with every schema inside it. */
export interface Document {
  /** Follows references until a schema without `$ref`. */
  resolve(schema: Schema): Schema
  /** Returns whether the schema accepts the value; `undefined` if the validator gives up, or the schema is not of this document. */
  accepts(schema: Schema, value: unknown): boolean | undefined
  /** Returns whether a pattern of this document matches the text. */
  matches(pattern: string, text: string): boolean
  /** Returns a text that two schemas share only when both accept the same values. */
  identityOf(schema: Schema): string
}

/** A schema, and the document in which its references are resolved. */
export interface LocatedSchema {
  readonly document: Document
  readonly schema: Schema
}

/** Returns the schema without annotations and without definitions. */
const withoutAnnotations = (schema: Schema): Schema => {
  if (typeof schema === 'boolean') return schema
  const { definitions: _, $defs: __, ...decisive } = mapSubschemas(schema, withoutAnnotations)
  return decisive
}

/** Returns the references that the schema follows, directly or through its subschemas. */
const referencesIn = (schema: Schema): readonly string[] => {
  if (typeof schema === 'boolean') return []
  if (typeof schema.$ref === 'string') return [schema.$ref]
  return subschemas(schema).flatMap((inner) => (inner.appliesTo === 'references_only' ? [] : referencesIn(inner.schema)))
}

const memoize = <K, V>(compute: (key: K) => V): ((key: K) => V) => {
  const known = new Map<K, V>()
  return (key) => {
    const value = known.get(key) ?? compute(key)
    known.set(key, value)
    return value
  }
}

/** Makes a document of a checked schema. Validators and identities are made once for each schema. */
export const createDocument = (checked: CheckedSchema): Document => {
  const pointers = new Map<Schema, string>([...checked.schemas].map(([pointer, schema]) => [schema, pointer]))
  const validatorAt = memoize(compileParts(checked))
  const target = (reference: string): Schema => checked.schemas.get(toPointer(fromReference(reference) ?? [])) ?? true

  const resolve = (schema: Schema): Schema =>
    typeof schema === 'boolean' || typeof schema.$ref !== 'string' ? schema : resolve(target(schema.$ref))

  /** Returns every schema that references lead to, by reference. */
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
    identityOf: memoize((schema) => {
      const reached = [...reachedFrom(schema)].sort(([a], [b]) => (a < b ? -1 : 1))
      return (
        canonicalize([withoutAnnotations(schema), ...reached.map(([reference, to]) => [reference, withoutAnnotations(to)])]) ?? ''
      )
    }),
  }
}
