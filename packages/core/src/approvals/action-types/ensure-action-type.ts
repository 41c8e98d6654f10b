import canonicalize from 'canonicalize'
import * as z from 'zod'
import { storableText } from '../../shared/input-schemas.ts'
import { newVersionShape, registerVersion } from '../../shared/schema-registry/register-version.ts'
import type { RegistryDeps } from '../../shared/schema-registry/registry.ts'
import { type ActionType, type ActionTypeStore, actionTypeKey, actionTypeRegistry } from './action-type.ts'
import type { DefinedActionType } from './define-action-type.ts'
import { ActionTypeNotFound, ActionTypeTaken } from './errors.ts'

const object = z.looseObject({}, { error: 'must be an object' })

export const ensureActionTypeShape = {
  type: storableText,
  version: storableText,
  title: newVersionShape.title,
  allowBreaking: newVersionShape.allowBreaking,
  schema: object,
  display: object,
}

const unlessTaken = (error: unknown): void => {
  if (!(error instanceof ActionTypeTaken)) throw error
}

/**
 * Registers a defined action type unless this version is registered, at every start. A deactivated version stays inactive.
 * @throws ActionTypeTaken if the version is registered with another schema, title or display
 * @throws Invalid, DisplayRefused, ActionTypeBreaks, ActionTypesChangedMeanwhile
 * @example const { active } = await countersign.actionTypes.ensure(wireTransfer)
 */
export async function ensureActionType(
  deps: RegistryDeps<{ readonly actionTypes: ActionTypeStore }>,
  { schema, display, ...version }: DefinedActionType,
): Promise<ActionType> {
  const { actionTypes } = deps.storage
  const definitionText = JSON.stringify({ schema, display })
  const key = actionTypeKey(version.type, version.version)
  if ((await actionTypes.byKey(key)) === undefined) {
    await registerVersion(actionTypeRegistry, deps, { ...version, definitionText }).catch(unlessTaken)
  }
  const found = await actionTypes.byKey(key)
  if (found === undefined) throw new ActionTypeNotFound()
  const { schemaText, displayText, ...entry } = found
  const registered = { schema: JSON.parse(schemaText) as unknown, display: JSON.parse(displayText) as unknown }
  const isSame =
    canonicalize(registered) === canonicalize(JSON.parse(definitionText)) && (version.title ?? entry.title) === entry.title
  if (!isSame)
    throw new ActionTypeTaken(`${key} is registered with another definition; give the changed definition another version`)
  return entry
}
