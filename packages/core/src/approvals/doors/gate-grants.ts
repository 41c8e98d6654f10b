import { limits } from '@countersign/contract'
import type { Grant, OnGrant } from '../../identity/user-model/on-grant.ts'
import { escapeDirections } from '../../shared/hidden-characters.ts'
import type { RequiredAction } from './errors.ts'
import type { GateStores, PassGate } from './operator-gate.ts'

type GrantActionType = 'user_access' | 'settings_change'

/** Returns the payload without the old permissions if it would be too long. The row's version still determines them. */
const fitting = (payload: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => {
  if (Buffer.byteLength(JSON.stringify(payload)) <= limits.actionPayloadBytes) return payload
  const { oldPermissions: _, ...shorter } = payload
  return shorter
}

/** Returns the action of a grant. The version of the user's row binds the approval to the permissions that the user has now. */
const actionOf = (actionType: GrantActionType, { email, granted, before }: Grant): RequiredAction => {
  const operation = before === undefined ? 'user.create' : 'user.grant'
  const user = escapeDirections(email)
  if (actionType === 'user_access') {
    const known = before === undefined ? {} : { oldPermissions: [...before.permissions], version: before.version }
    const payload = { userId: before?.id ?? user, permissions: [...granted], operation, email: user, ...known }
    return { actionType, actionPayload: fitting(payload) }
  }
  const oldValue = before === undefined ? null : { permissions: [...before.permissions], version: before.version }
  const newValue = { permissions: [...new Set([...(before?.permissions ?? []), ...granted])].sort() }
  return { actionType, actionPayload: { settingKey: `permissions of ${user}`, oldValue, newValue, operation } }
}

/** Guards grants of permissions with the gate `user.grant`. */
export const gateGrants =
  (passGate: PassGate): OnGrant =>
  (tx, grant) =>
    // Every transaction of this storage has the stores of approvals too.
    passGate(tx as GateStores, 'user.grant', {
      approver: grant,
      action: (actionType) => actionOf(actionType, grant),
    })
