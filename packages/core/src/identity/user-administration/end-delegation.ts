import { NothingToChange } from '../../shared/errors.ts'
import type { IdentityDeps } from '../deps.ts'
import { requireUser } from '../user-model/require-user.ts'
import type { DelegatePermission } from './delegate-permission.ts'

/**
 * Ends a delegation. Votes by it no longer count, also in open approval requests.
 * @throws UserNotFound
 * @throws NothingToChange if the delegation does not exist
 * @example await countersign.users.endDelegation({ from, to, permission: 'payment.approve' })
 */
export async function endDelegation(
  deps: Pick<IdentityDeps, 'storage' | 'logger'>,
  { permission, ...input }: Pick<DelegatePermission, 'from' | 'to' | 'permission'>,
): Promise<void> {
  const [from, to] = [await requireUser(deps, input.from), await requireUser(deps, input.to)]
  if (!(await deps.storage.delegations.end({ from: from.id, to: to.id, permission }))) {
    throw new NothingToChange(`${from.email} has not delegated ${permission} to ${to.email}`)
  }
  deps.logger.info('delegation_ended', { from: from.id, to: to.id, permission })
}
