import type { IdentityStorage } from '../base-deps.ts'
import { requireWithin } from '../sessions/bound-of-caller.ts'
import type { GrantedBy } from '../user-model/on-grant.ts'
import { partsOfPermission } from '../user-model/permissions.ts'

/**
 * Checks that the session of the user who grants or delegates permissions can act in their tenants. @throws Forbidden for a session
 * bound elsewhere
 */
export const requireGranter = async (deps: IdentityStorage, { caller }: GrantedBy, granted: readonly string[]): Promise<void> => {
  if (caller === undefined) return
  for (const permission of granted) await requireWithin(deps, caller, partsOfPermission(permission).tenant)
}
