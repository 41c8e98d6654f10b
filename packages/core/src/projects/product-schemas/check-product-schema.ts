import type { SchemaNotes } from '../../shared/json-schema/check-new-schema.ts'
import type { BreakingChange } from '../../shared/json-schema/compatibility/breaking-change.ts'
import { loadSchemaEngine } from '../../shared/json-schema/load-engine.ts'
import { breakingForActive } from '../../shared/schema-registry/breaking-for-active.ts'
import { checkedType } from '../../shared/schema-registry/schema-entry.ts'
import type { ProjectDeps } from '../deps.ts'

/** The comparison of a schema with the active version of its type. */
export interface Compatibility extends SchemaNotes {
  /** `true` if the schema provably accepts every value that the active version accepts. */
  readonly compatible: boolean
  readonly breaking: readonly BreakingChange[]
}

/** Compares a schema with the active version of a type. Registers nothing. @throws Invalid, SchemaRefused */
export async function checkProductSchema(
  { storage }: Pick<ProjectDeps, 'storage'>,
  input: { readonly type: string; readonly schemaText: string },
): Promise<Compatibility> {
  const type = checkedType(input.type)
  const engine = await loadSchemaEngine()
  const checked = engine.checkNewSchema(input.schemaText)
  const { schemas } = await storage.projects.productSchemas.active()
  const { breaking } = breakingForActive(engine, schemas, type, checked)
  return { compatible: breaking.length === 0, breaking, uncheckedFormats: checked.uncheckedFormats }
}
