import { type CheckedSchema, checkSchema } from '../json-schema/check-schema.ts'
import type { BreakingChange } from '../json-schema/compatibility/breaking-change.ts'
import { breakingChanges } from '../json-schema/compatibility/breaking-changes.ts'
import { newestActive } from './newest-active.ts'
import type { ProductSchemaWithText } from './product-schema.ts'

/** What a schema would refuse that the active one of its type accepts; nothing where the type has no active one. */
export const breakingForActive = (
  active: readonly ProductSchemaWithText[],
  type: string,
  schema: CheckedSchema,
): { readonly activeVersion: string | undefined; readonly breaking: readonly BreakingChange[] } => {
  const current = newestActive(active, type)
  return {
    activeVersion: current?.version,
    breaking: current === undefined ? [] : breakingChanges(checkSchema(current.schemaText), schema),
  }
}
