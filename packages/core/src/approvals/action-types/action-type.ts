import type { SchemaEntry, SchemaEntryWithText } from '../../shared/schema-registry/schema-entry.ts'

/** A registered version of an action type. Its key is `action_schema:<type>:v<version>`. */
export interface ActionType extends SchemaEntry {}

/** A registered version with its schema and its display. Both never change. */
export interface ActionTypeWithText extends SchemaEntryWithText {
  /** The JSON of the `DisplayDefinition`. */
  readonly displayText: string
}

/** The list of registered versions. `version` is an integer that rises with every change of the registry. */
export interface ActionTypeRegistry {
  readonly version: number
  /** Sorted by type, then from the oldest to the newest version. */
  readonly actionTypes: readonly ActionType[]
}

/** Returns the key of a version. */
export const actionTypeKey = (type: string, version: string): string => `action_schema:${type}:v${version}`
