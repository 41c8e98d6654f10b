import type { BaseDeps } from '../base-deps.ts'
import type { User } from '../records/user.ts'
import { normaliseEmail } from './email.ts'
import { UserNotFound } from './errors.ts'

/** The digits of an id. No email is only digits. */
const ID = /^\d{1,15}$/

/** Returns the user whom an admin names by email, or by the digits of the id. */
export const userOfAdmin = ({ storage: { users } }: Pick<BaseDeps, 'storage'>, email: string): Promise<User | undefined> =>
  ID.test(email) ? users.byId(Number(email)) : users.byEmail(normaliseEmail(email))

/** Returns the user with this email or id. @throws UserNotFound */
export const requireUser = async (deps: Pick<BaseDeps, 'storage'>, email: string): Promise<User> => {
  const user = await userOfAdmin(deps, email)
  if (user === undefined) throw new UserNotFound()
  return user
}
