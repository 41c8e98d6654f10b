import { mayDo, partsOfPermission } from '../../identity/accounts/permissions.ts'
import { InvalidAccessToken } from '../../identity/authentication/errors.ts'
import type { User } from '../../identity/records/user.ts'
import { Forbidden } from '../../shared/errors.ts'
import type { ApprovalDeps } from '../deps.ts'

/** The permissions that the policy of a request names. */
type Named = () => Promise<readonly `${string}.${string}`[]>

const none: Named = async () => []

/**
 * Returns the user who asks. Every user may ask without a tenant. In a tenant, the user must hold a permission in exactly that
 * tenant, or `*.*`, or without a tenant one of the permissions that the policy names. The refusal does not depend on whether the
 * tenant is in use.
 *
 * @throws InvalidAccessToken, Forbidden
 */
export const requireAsker = async (
  { storage, users }: Pick<ApprovalDeps, 'storage' | 'users'>,
  userId: number,
  tenant: string | null,
  named = none,
): Promise<User> => {
  // If the host has a directory, its permissions decide.
  const user = await (tenant === null ? storage.users : users).byId(userId)
  if (user === undefined) throw new InvalidAccessToken()
  if (tenant === null || user.permissions.some((held) => held === '*.*' || partsOfPermission(held).tenant === tenant)) return user
  if ((await named()).some((permission) => mayDo(user.permissions, permission))) return user
  throw new Forbidden()
}
