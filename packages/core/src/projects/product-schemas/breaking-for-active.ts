import type { CheckedSchema } from '../../shared/json-schema/check-schema.ts'
import type { BreakingChange } from '../../shared/json-schema/compatibility/breaking-change.ts'
import type { SchemaEngine } from '../../shared/json-schema/load-engine.ts'
import { newestActive } from './newest-active.ts'
import type { ProductSchemaWithText } from './product-schema.ts'

/** What a schema would refuse that the active one of its type accepts; nothing where the type has no active one. */
export const breakingForActive = (
  { checkSchema, breakingChanges }: SchemaEngine,
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
