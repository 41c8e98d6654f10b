import { actionTypes } from '@countersign/contract'
import { checkedLabel } from '../../identity/users/user-input.ts'
import { Invalid } from '../../shared/errors.ts'
import { text, trueOrFalse } from '../../shared/input-schemas.ts'
import type { SchemaNotes } from '../../shared/json-schema/check-new-schema.ts'
import { loadSchemaEngine } from '../../shared/json-schema/load-engine.ts'
import { registerVersion } from '../../shared/schema-registry/register-version.ts'
import { checkedType, checkedVersion, requiredFieldsOf } from '../../shared/schema-registry/schema-entry.ts'
import type { ApprovalDeps } from '../deps.ts'
import { type ActionType, type ActionTypeWithText, actionTypeKey } from './action-type.ts'
import { ActionTypeBreaks, ActionTypesChangedMeanwhile, ActionTypeTaken } from './errors.ts'
import { readDefinition } from './read-definition.ts'
import { requireShown } from './require-shown.ts'
import type { ActionTypeStore } from './store.ts'

/** A new version of an action type. */
export interface RegisterActionType {
  /** `[a-z][a-z0-9_-]{0,63}`, and none of the built-in types. */
  readonly type: string
  /** `major.minor.patch` */
  readonly version: string
  /** The JSON text of `{ "schema": {…}, "display": {…} }`, with a draft-07 schema. */
  readonly definitionText: string
  /** The title of the schema by default, or the type. */
  readonly title?: string | undefined
  /** `true` by default. */
  readonly active?: boolean | undefined
  /** Allows a version that refuses payloads which the active version accepts. `false` by default. */
  readonly allowBreaking?: boolean | undefined
}

/** The schemas of the fields of `RegisterActionType`. */
export const registerActionTypeShape = {
  type: text,
  version: text,
  definitionText: text,
  title: text.optional(),
  active: trueOrFalse.optional(),
  allowBreaking: trueOrFalse.optional(),
}

/**
 * Registers a version of an action type. A registered version never changes. Running servers use the newest active version within
 * a second. The schema must be closed, and its display must show every member.
 *
 * @throws Invalid, JsonRefused, SchemaRefused, DisplayRefused, ActionTypeTaken, ActionTypeBreaks, ActionTypesChangedMeanwhile
 */
export async function registerActionType(
  { storage, clock }: Pick<ApprovalDeps, 'storage' | 'clock'>,
  input: RegisterActionType,
): Promise<ActionType & SchemaNotes> {
  const type = checkedActionType(input.type)
  const version = checkedVersion(input.version)
  const { schemaText, display } = readDefinition(input.definitionText)
  const engine = await loadSchemaEngine()
  const checked = engine.checkNewSchema(schemaText)
  requireShown(checked.schema, display)
  engine.compileSchema(checked)
  const ownTitle = typeof checked.schema.title === 'string' ? checked.schema.title : ''
  const entry: ActionTypeWithText = {
    key: actionTypeKey(type, version),
    type,
    version,
    title: checkedLabel('title', input.title ?? ownTitle) || type,
    active: input.active ?? true,
    requiredFields: requiredFieldsOf(checked.schema),
    schemaText: checked.text,
    displayText: JSON.stringify(display),
    registeredAt: clock.now(),
  }
  const access = {
    registry: storage.actionTypes,
    transaction: <R>(work: (registry: ActionTypeStore) => Promise<R>) => storage.transaction((tx) => work(tx.actionTypes)),
  }
  const done = await registerVersion(access, { engine, checked, entry, allowBreaking: input.allowBreaking === true })
  if (done.outcome === 'taken') throw new ActionTypeTaken(entry.key)
  if (done.outcome === 'breaks') throw new ActionTypeBreaks(done.activeVersion, done.breaking)
  if (done.outcome === 'changed_meanwhile') throw new ActionTypesChangedMeanwhile()
  const { schemaText: _, displayText: __, ...registered } = entry
  return { ...registered, uncheckedFormats: checked.uncheckedFormats }
}

/** Returns the type. @throws Invalid also for a built-in type, whose schema never changes */
export const checkedActionType = (type: string): string => {
  if (actionTypes.some((known) => known === type)) throw new Invalid({ type: 'must not be a type of the contract' })
  return checkedType(type)
}
