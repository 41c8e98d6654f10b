import { InvalidAccessToken } from '../../identity/authentication/errors.ts'
import type { Bound } from '../../identity/records/bound.ts'
import type { User } from '../../identity/records/user.ts'
import { type BoundCaller, requireWithin } from '../../identity/sessions/bound-of-caller.ts'
import { mayDo, partsOfPermission, permissionsWithin } from '../../identity/user-model/permissions.ts'
import { Forbidden } from '../../shared/errors.ts'
import type { ApproverLookup } from '../deps.ts'

/**
 * Returns the user who asks, and the bound of the session. Without a tenant, every user may ask in a session that is not bound. In
 * a tenant, the user needs any permission in exactly that tenant, or `*.*`, or everywhere one of the permissions that the policy
 * names. The refusal does not depend on whether the tenant is in use. @throws InvalidAccessToken, Forbidden
 */
export const requireAsker = async (
  { storage, users }: ApproverLookup,
  caller: BoundCaller,
  tenant: string | null,
  named: () => Promise<readonly `${string}.${string}`[]> = async () => [],
): Promise<{ readonly user: User; readonly tenants: Bound }> => {
  const { userId } = caller
  const tenants = await requireWithin({ storage }, caller, tenant)
  // If the host has a directory, its permissions decide.
  const user = await (tenant === null ? storage.users : users).byId(userId)
  if (user === undefined) throw new InvalidAccessToken()
  const permissions = permissionsWithin(user.permissions, tenants)
  const asker = { user, tenants }
  if (tenant === null || permissions.some((held) => held === '*.*' || partsOfPermission(held).tenant === tenant)) return asker
  if ((await named()).some((permission) => mayDo(permissions, permission))) return asker
  throw new Forbidden()
}
