import type { IdentityDeps } from '../deps.ts'
import { changeUser } from './change-user.ts'
import { toProfile, type UserProfile } from './user.ts'
import { checkedPermissions } from './user-input.ts'

/** Revokes permissions of a user. The change takes effect immediately, also for existing tokens. @throws Invalid, UserNotFound */
export const revokePermissions = async (
  deps: Pick<IdentityDeps, 'storage' | 'clock'>,
  input: { readonly email: string; readonly permissions: readonly string[] },
): Promise<UserProfile> => {
  const revoked = new Set(checkedPermissions(input.permissions))
  return toProfile(
    await changeUser(deps, input.email, (user) => ({
      permissions: user.permissions.filter((permission) => !revoked.has(permission)),
    })),
  )
}
