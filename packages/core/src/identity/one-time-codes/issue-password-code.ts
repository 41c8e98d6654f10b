import type { IdentityDeps } from '../deps.ts'
import { createUser } from '../users/create-user.ts'
import { normaliseEmail } from '../users/email.ts'
import { UsersKeptElsewhere } from '../users/errors.ts'
import { requireUser } from '../users/require-user.ts'
import type { User } from '../users/user.ts'
import { type IssueCodeDeps, type IssuedCode, issueCodeTo } from './issue-code.ts'

/** @throws UsersKeptElsewhere where the directory of the host keeps the user's password */
const requireOwnPassword = (user: User): User => {
  if (user.directoryId !== null) throw new UsersKeptElsewhere()
  return user
}

/**
 * Issues a code with which a user sets a new password. The code is valid for 30 minutes.
 *
 * @throws UserNotFound, UserRefused, UsersKeptElsewhere
 */
export const resetPassword = async (deps: IssueCodeDeps, input: { readonly email: string }): Promise<IssuedCode> =>
  issueCodeTo(deps, requireOwnPassword(await requireUser(deps, input.email)), 'reset')

/**
 * Issues a code with which a user sets the first password. The code is valid for 7 days. Creates the user where nobody has the
 * email; the new user has no permissions, and cannot log in by password before the code is redeemed.
 *
 * @throws Invalid, UserRefused, UsersKeptElsewhere
 */
export const inviteUser = async (
  deps: IssueCodeDeps & Pick<IdentityDeps, 'users' | 'passwords'>,
  input: { readonly email: string },
): Promise<IssuedCode> => {
  const known = await deps.storage.users.byEmail(normaliseEmail(input.email))
  if (known === undefined) await createUser(deps, { email: input.email })
  return issueCodeTo(deps, requireOwnPassword(known ?? (await requireUser(deps, input.email))), 'invitation')
}
