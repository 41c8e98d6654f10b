import type { IdentityStorage } from '../base-deps.ts'
import type { User } from '../records/user.ts'
import { normaliseEmail } from './email.ts'
import { UserNotFound } from './errors.ts'

/** A user whom an admin names. */
export interface ByEmail {
  /** The email, or the digits of the id. */
  readonly email: string
}

/** The digits of an id. No email is only digits. */
const ID = /^\d{1,15}$/

/**
 * Returns the user whom an admin names by email, or by the digits of the id. An email exactly as stored comes first, so that users
 * with a spelling of an older version can be changed (see `oldSpellings`).
 */
export const userOfAdmin = async ({ storage }: IdentityStorage, email: string): Promise<User | undefined> => {
  if (ID.test(email)) return storage.users.byId(Number(email))
  const exact = await storage.users.byEmail(email)
  const normalised = normaliseEmail(email)
  return exact ?? (normalised === email ? undefined : storage.users.byEmail(normalised))
}

/** Returns the user with this email or id. @throws UserNotFound */
export const requireUser = async (deps: IdentityStorage, email: string): Promise<User> => {
  const user = await userOfAdmin(deps, email)
  if (user === undefined) throw new UserNotFound()
  return user
}
