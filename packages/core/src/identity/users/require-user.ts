import type { IdentityDeps } from '../deps.ts'
import { normaliseEmail } from './email.ts'
import { UserNotFound } from './errors.ts'
import type { User } from './user.ts'

/** Returns the user with this email. @throws UserNotFound */
export const requireUser = async ({ storage }: Pick<IdentityDeps, 'storage'>, email: string): Promise<User> => {
  const user = await storage.users.byEmail(normaliseEmail(email))
  if (user === undefined) throw new UserNotFound()
  return user
}
