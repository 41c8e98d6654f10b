import { compareSchemaVersions } from '../../shared/schema-registry/schema-version.ts'
import type { ApprovalDeps } from '../deps.ts'
import type { ActionType, ActionTypeRegistry, ActionTypeWithText } from './action-type.ts'
import { ActionTypeNotFound } from './errors.ts'

/** Returns all versions of all registered action types. */
export async function listActionTypes({ storage }: Pick<ApprovalDeps, 'storage'>): Promise<ActionTypeRegistry> {
  const { version, schemas } = await storage.actionTypes.registry()
  return { version, actionTypes: [...schemas].sort(byTypeAndVersion) }
}

/** Returns a registered version with its schema and its display. @throws ActionTypeNotFound */
export async function showActionType(
  { storage }: Pick<ApprovalDeps, 'storage'>,
  { key }: { readonly key: string },
): Promise<ActionTypeWithText> {
  const entry = await storage.actionTypes.byKey(key)
  if (entry === undefined) throw new ActionTypeNotFound()
  return entry
}

const byTypeAndVersion = (a: ActionType, b: ActionType): number => {
  if (a.type !== b.type) return a.type < b.type ? -1 : 1
  return compareSchemaVersions(a.version, b.version)
}
