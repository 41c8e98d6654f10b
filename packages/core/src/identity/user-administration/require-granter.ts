import type { IdentityDeps } from '../deps.ts'
import { requireWithin } from '../sessions/bound-of-caller.ts'
import type { GrantedBy } from '../user-model/on-grant.ts'
import { partsOfPermission } from '../user-model/permissions.ts'

/** Checks that the user who grants or lends permissions may act where they hold. @throws Forbidden for a session bound elsewhere */
export const requireGranter = async (
  deps: Pick<IdentityDeps, 'storage'>,
  { caller }: GrantedBy,
  granted: readonly string[],
): Promise<void> => {
  if (caller === undefined) return
  for (const permission of granted) await requireWithin(deps, caller, partsOfPermission(permission).tenant)
}
