import type { GrantedBy } from '../accounts/on-grant.ts'
import { partsOfPermission } from '../accounts/permissions.ts'
import type { IdentityDeps } from '../deps.ts'
import { requireWithin } from '../sessions/bound-of-caller.ts'

/** Checks that the user who grants or lends permissions may act where they hold. @throws Forbidden for a session bound elsewhere */
export const requireGranter = async (
  deps: Pick<IdentityDeps, 'storage'>,
  { caller }: GrantedBy,
  granted: readonly string[],
): Promise<void> => {
  if (caller === undefined) return
  for (const permission of granted) await requireWithin(deps, caller, partsOfPermission(permission).tenant)
}
