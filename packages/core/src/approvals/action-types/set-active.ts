import { NothingToChange } from '../../shared/errors.ts'
import type { ApprovalDeps } from '../deps.ts'
import type { ActionType } from './action-type.ts'
import { ActionTypeNotFound } from './errors.ts'

type SetActiveDeps = Pick<ApprovalDeps, 'storage'>

/** Activates a registered version. Running servers follow within a second. @throws ActionTypeNotFound, NothingToChange */
export function activateActionType(deps: SetActiveDeps, { key }: { readonly key: string }): Promise<ActionType> {
  return setActive(deps, key, true)
}

/**
 * Deactivates a registered version. Running servers follow within a second. Pending confirmations keep what they show.
 *
 * @throws ActionTypeNotFound, NothingToChange
 */
export function deactivateActionType(deps: SetActiveDeps, { key }: { readonly key: string }): Promise<ActionType> {
  return setActive(deps, key, false)
}

const setActive = async ({ storage }: SetActiveDeps, key: string, active: boolean): Promise<ActionType> => {
  const entry = await storage.transaction(async (tx) => {
    await tx.actionTypes.hold()
    if ((await tx.actionTypes.byKey(key))?.active === active) {
      throw new NothingToChange(`The version is ${active ? 'active already' : 'not active'}`)
    }
    return tx.actionTypes.setActive(key, active)
  })
  if (entry === undefined) throw new ActionTypeNotFound()
  return entry
}
