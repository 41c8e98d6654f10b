import { NothingToChange } from '../../shared/errors.ts'
import type { IdentityDeps } from '../deps.ts'
import { changeUser } from './change-user.ts'
import { wildcardFor } from './permissions.ts'
import { toProfile, type UserProfile } from './user.ts'
import { checkedPermissions } from './user-input.ts'

/** Says that a permission is not held, and which wildcard grants it nevertheless. */
const notHeld = (held: readonly string[], permission: string): string => {
  const wildcard = wildcardFor(held, permission)
  return `The user does not hold ${permission}${wildcard === undefined ? '' : `; ${wildcard} still grants it`}`
}

/**
 * Revokes permissions of a user. The change takes effect immediately, also for existing tokens. A wildcard that the user holds
 * still grants what it covers.
 *
 * @throws Invalid, UserNotFound
 * @throws NothingToChange where the user holds none of the permissions
 */
export const revokePermissions = async (
  deps: Pick<IdentityDeps, 'storage' | 'clock'>,
  input: { readonly email: string; readonly permissions: readonly string[] },
): Promise<UserProfile> => {
  const revoked = checkedPermissions(input.permissions)
  return toProfile(
    await changeUser(deps, input.email, ({ permissions: held }) => {
      const permissions = held.filter((permission) => !revoked.includes(permission))
      if (permissions.length < held.length) return { permissions }
      throw new NothingToChange(revoked.map((permission) => notHeld(held, permission)).join('. '))
    }),
  )
}
