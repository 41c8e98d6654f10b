import canonicalize from 'canonicalize'
import type { CheckedSchema } from '../check-schema.ts'
import { compileParts, type WorkBudget } from '../compile-schema.ts'
import {
  fromReference,
  isAssertion,
  isSchemaObject,
  mapSubschemas,
  type Schema,
  type SchemaObject,
  subschemas,
  toPointer,
} from '../schema.ts'

/** One version of a schema, with every schema inside it. */
export interface Document {
  /** Follows references until a schema without `$ref`. */
  resolve(schema: Schema): Schema
  /** Returns whether the schema accepts the value; `undefined` if that is too much work, or the schema is not of the document. */
  accepts(schema: Schema, value: unknown): boolean | undefined
  matches(pattern: string, text: string): boolean
  /** Returns a text that two schemas, also of two versions, share only when both accept the same values. */
  idOf(schema: Schema): string
}

/** A schema, and the document in which its references are resolved. */
export interface Located<S extends Schema = Schema> {
  readonly document: Document
  readonly schema: S
}

export const memoize = <K extends object, V>(compute: (key: K) => V): ((key: K) => V) => {
  const known = new WeakMap<K, V>()
  return (key) => {
    const value = known.get(key) ?? compute(key)
    known.set(key, value)
    return value
  }
}

/** Keywords that mean something only together. */
const groups = [
  ['properties', 'patternProperties', 'additionalProperties'],
  ['items', 'additionalItems'],
  ['if', 'then', 'else'],
]

/** Takes a schema apart, into one schema for each keyword: a value is accepted exactly if all of them accept the value. */
export const partsOf = memoize((schema: SchemaObject): readonly SchemaObject[] => {
  const parts = new Map<string, Record<string, unknown>>()
  for (const [keyword, value] of Object.entries(schema)) {
    if (!isAssertion(keyword) || keyword === 'definitions' || keyword === '$defs') continue
    const name = groups.find((group) => group.includes(keyword))?.[0] ?? keyword
    parts.set(name, { ...parts.get(name), [keyword]: value })
  }
  return [...parts.values()]
})

const decisive = (schema: Schema): Schema => {
  if (typeof schema === 'boolean') return schema
  const { definitions: _, $defs: __, ...rest } = mapSubschemas(schema, decisive)
  return rest
}

const textOf = memoize((schema: SchemaObject): string => canonicalize(decisive(schema)) ?? '')

const referencesIn = (schema: Schema): readonly string[] => {
  if (typeof schema === 'boolean') return []
  if (typeof schema.$ref === 'string') return [schema.$ref]
  return subschemas(schema).flatMap((inner) => (inner.appliesTo === 'references_only' ? [] : referencesIn(inner.schema)))
}

const targetIn = ({ schemas }: CheckedSchema, reference: string) => schemas.get(toPointer(fromReference(reference) ?? []))

/** Returns the references that do not lead to the same in both versions. */
const changedReferences = (versions: readonly CheckedSchema[]): ReadonlySet<string> => {
  const targets = new Map<string, readonly string[]>()
  const changed = new Set<string>()
  for (const reference of versions.flatMap(({ schemas }) => [...schemas.values()].flatMap(referencesIn))) {
    if (targets.has(reference)) continue
    const [one, other] = versions.map((version) => targetIn(version, reference))
    targets.set(reference, referencesIn(one ?? true))
    if (isSchemaObject(one) && isSchemaObject(other) ? textOf(one) !== textOf(other) : one !== other) changed.add(reference)
  }
  for (let size = -1; size < changed.size; ) {
    size = changed.size
    for (const [reference, inner] of targets) if (inner.some((each) => changed.has(each))) changed.add(reference)
  }
  return changed
}

/** Makes a document of each of two versions. Their validators share the budget. */
export const createDocuments = (versions: readonly CheckedSchema[], budget: WorkBudget): readonly Document[] => {
  const changed = changedReferences(versions)
  const numbers = new Map<string, string>()
  return versions.map((checked, version): Document => {
    const pointers = new Map([...checked.schemas].map(([pointer, schema]) => [schema, pointer]))
    const validatorAt = compileParts(checked, budget)
    const validatorOf = memoize((schema: SchemaObject) => validatorAt(pointers.get(schema) ?? '#'))
    const numberOf = memoize((schema: SchemaObject): string => {
      const text = `${textOf(schema)}${referencesIn(schema).some((each) => changed.has(each)) ? version : ''}`
      if (!numbers.has(text)) numbers.set(text, String(numbers.size))
      return numbers.get(text) ?? ''
    })
    const resolve = (schema: Schema): Schema =>
      isSchemaObject(schema) && typeof schema.$ref === 'string' ? resolve(targetIn(checked, schema.$ref) ?? true) : schema
    return {
      resolve,
      accepts: (schema, value) => {
        if (typeof schema === 'boolean') return schema
        return pointers.has(schema) ? validatorOf(schema)(value) : undefined
      },
      matches: (pattern, text) => checked.patterns.get(pattern)?.test(text) ?? false,
      idOf: (schema) => (typeof schema === 'boolean' ? String(schema) : numberOf(schema)),
    }
  })
}
