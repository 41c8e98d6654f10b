import type { Deps } from '../deps.ts'
import { UserNotFound } from './errors.ts'
import { toProfile, type UserProfile } from './user.ts'

/**
 * Takes over what the host's directory says of a user now. Nothing needs this to be right; it lets a host end the sessions
 * of a user whom it disabled before their next request, and know the id of one who has never logged in.
 *
 * @throws UserNotFound where the directory has no such user, or has them disabled, and they never logged in
 */
export const syncUser = async ({ users }: Pick<Deps, 'users'>, input: { readonly directoryId: string }): Promise<UserProfile> => {
  const user = await users.byDirectoryId(input.directoryId)
  if (user === undefined) throw new UserNotFound()
  return toProfile(user)
}
