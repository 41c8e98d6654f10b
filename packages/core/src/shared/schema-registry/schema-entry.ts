import type { Instant } from '../clock.ts'
import { Invalid } from '../errors.ts'
import { isSchemaVersion } from './schema-version.ts'

/** A registered version of a type's schema, in a registry of product types or of action types. */
export interface SchemaEntry {
  /** Names the registry, the type and the version; unique. */
  readonly key: string
  readonly type: string
  /** `major.minor.patch` */
  readonly version: string
  readonly title: string
  /** The newest active version of a type applies. */
  readonly active: boolean
  /** The top-level `required` of the schema. */
  readonly requiredFields: readonly string[]
  readonly registeredAt: Instant
}

/** A registered version with the JSON text of its draft-07 schema. Only `active` ever changes. */
export interface SchemaEntryWithText extends SchemaEntry {
  readonly schemaText: string
}

/** Returns the type. @throws Invalid */
export const checkedType = (type: string): string => {
  if (!/^[a-z][a-z0-9_-]{0,63}$/.test(type)) {
    throw new Invalid({ type: 'must be 1 to 64 of a-z, 0-9, underscore and hyphen, and begin with a letter' })
  }
  return type
}

/** Returns the version. @throws Invalid */
export const checkedVersion = (version: string): string => {
  if (!isSchemaVersion(version)) throw new Invalid({ version: 'must have the form major.minor.patch' })
  return version
}

/** Returns the top-level `required` of a schema. */
export const requiredFieldsOf = (schema: { readonly [keyword: string]: unknown }): readonly string[] =>
  Array.isArray(schema.required) ? (schema.required as string[]) : []
