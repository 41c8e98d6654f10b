import { NothingToChange } from '../../shared/errors.ts'
import type { LoggedChange } from '../base-deps.ts'
import type { IdentityDeps } from '../deps.ts'
import { toProfile, type User, type UserChange, type UserProfile } from '../records/user.ts'
import { approvalOf, type GrantedBy } from '../user-model/on-grant.ts'
import { toPermissionSet, wildcardFor } from '../user-model/permissions.ts'
import type { ByEmail } from '../user-model/require-user.ts'
import { checkedPermissions, checkedTokenSize } from '../user-model/user-input.ts'
import { changeUser } from './change-user.ts'
import { requireGranter } from './require-granter.ts'

type NamedPermissions = ByEmail & { readonly permissions: readonly string[] }

/**
 * Grants permissions, with immediate effect, also for existing tokens. With the gate `user.grant`, the approval is consumed in the
 * transaction.
 * @throws Invalid, UserNotFound, UserChangedMeanwhile, UsersKeptByHost
 * @throws NothingToChange if the user has all of these permissions already
 * @throws ConfirmationRequired and the errors of consuming an approval, if the host gates grants
 * @throws Forbidden for a caller whose session is bound to other tenants than the permissions
 * @example await countersign.users.grant({ email: 'ada@example.com', permissions: ['payment.approve'] })
 */
export async function grantPermissions(deps: IdentityDeps, input: NamedPermissions & GrantedBy): Promise<UserProfile> {
  const granted = checkedPermissions(input.permissions)
  await requireGranter(deps, input, granted)
  const grant = (user: User): UserChange => {
    const permissions = toPermissionSet([...user.permissions, ...granted])
    if (permissions.length === user.permissions.length) throw new NothingToChange(`The user holds ${granted.join(', ')} already`)
    checkedTokenSize({ ...user, permissions })
    return { permissions }
  }
  const { user: changed } = await changeUser(deps, input.email, grant, (tx, { email }, before) =>
    deps.onGrant(tx, { ...approvalOf(input), email, granted, before }),
  )
  deps.logger.info('permissions_granted', { userId: changed.id, permissions: granted })
  return toProfile(changed)
}

/**
 * Revokes permissions, with immediate effect, also for existing tokens. @throws Invalid, UserNotFound
 * @throws NothingToChange if the user has none of them, or would keep a wildcard that grants one of them
 * @example await countersign.users.revoke({ email: 'ada@example.com', permissions: ['payment.approve'] })
 */
export async function revokePermissions(deps: LoggedChange, input: NamedPermissions): Promise<UserProfile> {
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
