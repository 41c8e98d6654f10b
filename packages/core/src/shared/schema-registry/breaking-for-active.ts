import type { CheckedSchema } from '../json-schema/check-schema.ts'
import type { BreakingChange } from '../json-schema/compatibility/breaking-change.ts'
import type { SchemaEngine } from '../json-schema/load-engine.ts'
import type { SchemaEntryWithText } from './schema-entry.ts'
import { newestActive } from './schema-version.ts'

/** Returns the breaking changes between the newest active version of a type and a schema. None if no version is active. */
export const breakingForActive = (
  { checkSchema, breakingChanges }: SchemaEngine,
  active: readonly SchemaEntryWithText[],
  type: string,
  schema: CheckedSchema,
): { readonly activeVersion: string | undefined; readonly breaking: readonly BreakingChange[] } => {
  const current = newestActive(active, type)
  return {
    activeVersion: current?.version,
    breaking: current === undefined ? [] : breakingChanges(checkSchema(current.schemaText), schema),
  }
}
