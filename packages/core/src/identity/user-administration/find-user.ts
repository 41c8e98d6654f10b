import type { IdentityStorage } from '../base-deps.ts'
import { toProfile, type UserProfile } from '../records/user.ts'
import { requireUser } from '../user-model/require-user.ts'

/**
 * Returns the user with this email, or with the id whose digits are given. @throws UserNotFound
 * @example const { id, permissions } = await countersign.users.find({ email: 'ada@example.com' })
 */
export async function findUser(deps: IdentityStorage, input: { readonly email: string }): Promise<UserProfile> {
  return toProfile(await requireUser(deps, input.email))
}
