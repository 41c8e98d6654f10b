import { NothingToChange } from '../../shared/errors.ts'
import type { LoggedChange } from '../base-deps.ts'
import { toProfile, type User, type UserChange, type UserProfile } from '../records/user.ts'
import { wildcardFor } from '../user-model/permissions.ts'
import { checkedPermissions } from '../user-model/user-input.ts'
import { changeUser } from './change-user.ts'

/**
 * Revokes permissions of a user. The change takes effect immediately, also for existing tokens. Nothing is revoked if a wildcard
 * that the user keeps would still grant one of the permissions.
 * @throws Invalid, UserNotFound
 * @throws NothingToChange if the user has none of the permissions, or a wildcard would still grant one of them
 * @example await countersign.users.revoke({ email: 'ada@example.com', permissions: ['payment.approve'] })
 */
export async function revokePermissions(
  deps: LoggedChange,
  input: { readonly email: string; readonly permissions: readonly string[] },
): Promise<UserProfile> {
  const revoked = checkedPermissions(input.permissions)
  const revoke = ({ permissions: held }: User): UserChange => {
    const permissions = held.filter((permission) => !revoked.includes(permission))
    const isStillGranted = revoked.some((permission) => wildcardFor(permissions, permission) !== undefined)
    if (permissions.length < held.length && !isStillGranted) return { permissions }
    const stays = revoked.filter((permission) => !held.includes(permission) || wildcardFor(permissions, permission) !== undefined)
    throw new NothingToChange(stays.map((permission) => whyNothing(held, permissions, permission)).join('. '))
  }
  const { user: changed } = await changeUser(deps, input.email, revoke, async () => {})
  deps.logger.info('permissions_revoked', { userId: changed.id, permissions: revoked })
  return toProfile(changed)
}

/** Returns the reason: the user does not have the permission, or a wildcard still grants it. */
const whyNothing = (held: readonly string[], left: readonly string[], permission: string): string => {
  const wildcard = wildcardFor(left, permission)
  if (wildcard === undefined) return `The user does not hold ${permission}`
  return held.includes(permission)
    ? `Without ${permission}, ${wildcard} would still grant it: revoke ${wildcard} too`
    : `The user does not hold ${permission}; ${wildcard} still grants it`
}
