import type { SchemaNotes } from '../json-schema/check-new-schema.ts'
import type { CheckedSchema } from '../json-schema/check-schema.ts'
import type { BreakingChange } from '../json-schema/compatibility/breaking-changes.ts'
import { loadSchemaEngine, type SchemaEngine } from '../json-schema/load-engine.ts'
import type { Registry, RegistryStorage } from './registry.ts'
import type { SchemaEntryWithText } from './schema-entry.ts'
import { newestActive } from './schema-version.ts'

/** The comparison of a schema with the active version of its type. */
export interface Compatibility extends SchemaNotes {
  /** `true` if the schema provably accepts every value that the active version accepts. */
  readonly compatible: boolean
  readonly breaking: readonly BreakingChange[]
}

/**
 * Compares a definition with the active version of its type. Registers nothing. @throws Invalid
 * @example const { compatible, breaking } = await countersign.productSchemas.check({ type: 'door', schemaText })
 */
export async function checkVersion<Stores, T extends SchemaEntryWithText, Definition extends string>(
  registry: Registry<Stores, T, Definition>,
  { storage }: RegistryStorage<Stores>,
  input: { readonly type: string } & Readonly<Record<Definition, string>>,
): Promise<Compatibility> {
  const type = registry.checkType(input.type)
  const engine = await loadSchemaEngine()
  const { checked } = registry.read(input[registry.definition], engine)
  const { schemas } = await registry.store(storage).active()
  const { breaking } = breakingForActive(engine, schemas, type, checked)
  return { compatible: breaking.length === 0, breaking, uncheckedFormats: checked.uncheckedFormats }
}

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
