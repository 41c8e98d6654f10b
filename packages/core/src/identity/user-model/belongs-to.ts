import type { Instant } from '../../shared/clock.ts'
import type { Bound } from '../records/bound.ts'
import { mayLogIn, type User } from '../records/user.ts'
import type { IdentityStores } from '../stores.ts'
import type { CurrentUsers } from './current-users.ts'
import { holdsLent, permissionsWithin } from './permissions.ts'

interface Deps {
  readonly storage: Pick<IdentityStores, 'delegations'>
  readonly users: Pick<CurrentUsers, 'byId'>
}

/**
 * Returns whether a user exists for a service that is bound to tenants: the user has any permission in exactly one of them, also
 * by a delegation whose giver has it and can log in. Every user exists for a service that is not bound.
 */
export const belongsTo = async ({ storage, users }: Deps, tenants: Bound, { id, permissions }: User, now: Instant) => {
  if (tenants === null || permissionsWithin(permissions, tenants).length > 0) return true
  for (const { from, to, permission } of await storage.delegations.running({ userId: id }, now)) {
    if (to !== id || permissionsWithin([permission], tenants).length === 0) continue
    const giver = await users.byId(from)
    if (giver !== undefined && mayLogIn(giver) && holdsLent(giver.permissions, permission)) return true
  }
  return false
}
