import type { IdentityDeps } from '../deps.ts'
import { changeUser } from './change-user.ts'
import { toPermissionSet } from './permissions.ts'
import { toProfile, type UserProfile } from './user.ts'
import { checkedPermissions, checkedTokenSize } from './user-input.ts'

/** Grants permissions to a user. They take effect immediately, also for existing tokens. @throws Invalid, UserNotFound */
export const grantPermissions = async (
  deps: Pick<IdentityDeps, 'storage' | 'clock'>,
  input: { readonly email: string; readonly permissions: readonly string[] },
): Promise<UserProfile> => {
  const granted = checkedPermissions(input.permissions)
  return toProfile(
    await changeUser(deps, input.email, (user) => {
      const permissions = toPermissionSet([...user.permissions, ...granted])
      checkedTokenSize({ ...user, permissions })
      return { permissions }
    }),
  )
}
