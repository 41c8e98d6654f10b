import type { IdentityDeps } from '../deps.ts'
import { normaliseEmail } from './email.ts'
import { UserNotFound } from './errors.ts'
import type { User } from './user.ts'

/**
 * Returns the user whom an admin names by email. An email exactly as it is stored comes first, so that users with a spelling of
 * an older version can still be changed (see `oldSpellings`).
 */
export const userOfAdmin = async ({ storage }: Pick<IdentityDeps, 'storage'>, email: string): Promise<User | undefined> => {
  const exact = await storage.users.byEmail(email)
  const normalised = normaliseEmail(email)
  return exact ?? (normalised === email ? undefined : storage.users.byEmail(normalised))
}

/** Returns the user with this email. @throws UserNotFound */
export const requireUser = async (deps: Pick<IdentityDeps, 'storage'>, email: string): Promise<User> => {
  const user = await userOfAdmin(deps, email)
  if (user === undefined) throw new UserNotFound()
  return user
}
