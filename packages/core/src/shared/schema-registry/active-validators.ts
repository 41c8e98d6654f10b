import { LRUCache } from 'lru-cache'
import type { Validate } from '../json-schema/compile-schema.ts'
import { loadSchemaEngine, type SchemaEngine } from '../json-schema/load-engine.ts'
import type { SchemaRegistryStore } from './registry.ts'
import type { SchemaEntryWithText } from './schema-entry.ts'
import { newestActive } from './schema-version.ts'

/** The validator of a type's newest active version. */
export interface ActiveValidator<T extends SchemaEntryWithText> {
  readonly entry: T
  readonly validate: Validate
}

/** Returns the validator of a type; `undefined` for a type without an active version. */
export type ActiveValidators<T extends SchemaEntryWithText> = (type: string) => ActiveValidator<T> | undefined

const VALIDATORS_KEPT = 500

const compile = ({ checkSchema, compileSchema }: SchemaEngine, { key, schemaText }: SchemaEntryWithText): Validate => {
  try {
    return compileSchema(checkSchema(schemaText))
  } catch (cause) {
    throw new Error(`${key} was taken when it was registered, and is not any more`, { cause })
  }
}

/** Makes a function that returns the current validators of all types. Compiles each schema once, at its first use. */
export const createActiveValidators = <T extends SchemaEntryWithText>(
  registry: Pick<SchemaRegistryStore<T>, 'registryVersion' | 'active'>,
): (() => Promise<ActiveValidators<T>>) => {
  const compiled = new LRUCache<string, Validate>({ max: VALIDATORS_KEPT })
  let state: { readonly version: number; readonly schemas: readonly T[] } | undefined

  const validateOf = (engine: SchemaEngine, schema: T): Validate => {
    const known = compiled.get(schema.key)
    if (known !== undefined) return known
    const validate = compile(engine, schema)
    compiled.set(schema.key, validate)
    return validate
  }

  return async () => {
    const engine = await loadSchemaEngine()
    const version = await registry.registryVersion()
    const current = state?.version === version ? state : await registry.active()
    state = current
    return (type) => {
      const schema = newestActive(current.schemas, type)
      return schema === undefined ? undefined : { entry: schema, validate: validateOf(engine, schema) }
    }
  }
}
