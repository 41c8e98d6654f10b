import { NothingToChange } from '../../shared/errors.ts'
import type { IdentityDeps } from '../deps.ts'
import { toProfile, type UserProfile } from '../records/user.ts'
import { approvalOf, type GrantedBy } from '../user-model/on-grant.ts'
import { toPermissionSet } from '../user-model/permissions.ts'
import { checkedPermissions, checkedTokenSize } from '../user-model/user-input.ts'
import { changeUser } from './change-user.ts'
import { requireGranter } from './require-granter.ts'

/**
 * Grants permissions to a user. They take effect immediately, also for existing tokens. With the gate `user.grant`, the approval is
 * consumed in the transaction of the grant.
 * @throws Invalid, UserNotFound, UserChangedMeanwhile, UsersKeptByHost
 * @throws NothingToChange if the user has all of these permissions already
 * @throws ConfirmationRequired and the errors of consuming an approval, if the host gates grants
 * @throws Forbidden for a caller whose session is bound to other tenants than the permissions
 * @example await countersign.users.grant({ email: 'ada@example.com', permissions: ['payment.approve'] })
 */
export async function grantPermissions(
  deps: Pick<IdentityDeps, 'storage' | 'clock' | 'logger' | 'onGrant'>,
  input: { readonly email: string; readonly permissions: readonly string[] } & GrantedBy,
): Promise<UserProfile> {
  const granted = checkedPermissions(input.permissions)
  await requireGranter(deps, input, granted)
  const { user: changed } = await changeUser(
    deps,
    input.email,
    (user) => {
      const permissions = toPermissionSet([...user.permissions, ...granted])
      if (permissions.length === user.permissions.length) {
        throw new NothingToChange(`The user holds ${granted.join(', ')} already`)
      }
      checkedTokenSize({ ...user, permissions })
      return { permissions }
    },
    (tx, { email }, before) => deps.onGrant(tx, { ...approvalOf(input), email, granted, before }),
  )
  deps.logger.info('permissions_granted', { userId: changed.id, permissions: granted })
  return toProfile(changed)
}
