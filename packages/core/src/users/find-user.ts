import type { Deps } from '../deps.ts'
import { normaliseEmail } from './email.ts'
import { UserNotFound } from './errors.ts'
import { toProfile, type User, type UserProfile } from './user.ts'

/** The user of this email. @throws UserNotFound */
export const requireUser = async ({ storage }: Pick<Deps, 'storage'>, email: string): Promise<User> => {
  const user = await storage.users.byEmail(normaliseEmail(email))
  if (user === undefined) throw new UserNotFound()
  return user
}

/** Shows the user of this email. @throws UserNotFound */
export const findUser = async (deps: Pick<Deps, 'storage'>, input: { readonly email: string }): Promise<UserProfile> =>
  toProfile(await requireUser(deps, input.email))
