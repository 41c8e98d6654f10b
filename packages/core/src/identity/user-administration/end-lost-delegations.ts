import type { Instant } from '../../shared/clock.ts'
import type { Logger } from '../../shared/logger.ts'
import type { Delegation } from '../records/delegation.ts'
import type { User, UserChange } from '../records/user.ts'
import type { IdentityStores } from '../stores.ts'
import { holdsLent } from '../user-model/lent-permissions.ts'

/**
 * Ends the delegations whose permission their giver lost by this change, in the transaction of the change. They do not come back
 * with the permission. Returns those that were ended, for `logEndedDelegations`.
 */
export const endLostDelegations = async (
  tx: Pick<IdentityStores, 'delegations'>,
  { id, permissions }: Pick<User, 'id' | 'permissions'>,
  change: UserChange,
  now: Instant,
): Promise<readonly Delegation[]> => {
  if (change.permissions === undefined) return []
  const given = (await tx.delegations.running({ userId: id }, now)).filter(({ from }) => from === id)
  const lost = given.filter(({ permission }) => !holdsLent(permissions, permission))
  for (const delegation of lost) await tx.delegations.end(delegation)
  return lost
}

/** Logs the delegations that ended, after the commit. */
export const logEndedDelegations = (logger: Logger, ended: readonly Delegation[]): void => {
  for (const { from, to, permission } of ended) logger.info('delegation_ended', { from, to, permission })
}
