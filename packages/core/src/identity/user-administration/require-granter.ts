import type { IdentityStorage } from '../base-deps.ts'
import { requireWithin } from '../sessions/bound-of-caller.ts'
import type { GrantedBy } from '../user-model/on-grant.ts'
import { partsOfPermission } from '../user-model/permissions.ts'

/** Checks that the session of who grants can act in the tenants of the permissions. @throws Forbidden if bound elsewhere */
export const requireGranter = async (deps: IdentityStorage, { caller }: GrantedBy, granted: readonly string[]): Promise<void> => {
  if (caller === undefined) return
  for (const permission of granted) await requireWithin(deps, caller, partsOfPermission(permission).tenant)
}
