import type { SchemaNotes } from '../../shared/json-schema/check-new-schema.ts'
import type { BreakingChange } from '../../shared/json-schema/compatibility/breaking-change.ts'
import { loadSchemaEngine } from '../../shared/json-schema/load-engine.ts'
import { breakingForActive } from '../../shared/schema-registry/breaking-for-active.ts'
import type { ApprovalDeps } from '../deps.ts'
import { readDefinition } from './read-definition.ts'
import { checkedActionType } from './register-action-type.ts'
import { requireShown } from './require-shown.ts'

/**
 * Compares a definition with the active version of its type. Registers nothing.
 *
 * @throws Invalid, JsonRefused, SchemaRefused, DisplayRefused
 */
export async function checkActionType(
  { storage }: Pick<ApprovalDeps, 'storage'>,
  input: { readonly type: string; readonly definitionText: string },
): Promise<SchemaNotes & { readonly compatible: boolean; readonly breaking: readonly BreakingChange[] }> {
  const type = checkedActionType(input.type)
  const { schemaText, display } = readDefinition(input.definitionText)
  const engine = await loadSchemaEngine()
  const checked = engine.checkNewSchema(schemaText)
  requireShown(checked.schema, display)
  const { schemas } = await storage.actionTypes.active()
  const { breaking } = breakingForActive(engine, schemas, type, checked)
  return { compatible: breaking.length === 0, breaking, uncheckedFormats: checked.uncheckedFormats }
}
