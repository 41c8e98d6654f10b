import type { IdentityDeps } from '../deps.ts'
import { UsersKeptByHost } from '../user-model/errors.ts'
import { requireUser, userOfAdmin } from '../user-model/require-user.ts'
import { createUser } from './create-user.ts'
import { type IssueCodeDeps, type IssuedCode, issueCodeTo } from './issue-code.ts'

/**
 * Issues a code with which a user sets the first password. The code is valid until `expiresAt`. Creates the user if nobody has the
 * email. The new user has no permissions, and cannot log in by password before the code is redeemed.
 * @throws Invalid, UserRefused, and UsersKeptByHost if the directory of the host keeps the password
 * @example const { code, expiresAt } = await countersign.users.invite({ email: 'ada@example.com' })
 */
export async function inviteUser(
  deps: IssueCodeDeps & Pick<IdentityDeps, 'users' | 'passwords' | 'options' | 'onGrant'>,
  input: { readonly email: string },
): Promise<IssuedCode> {
  const known = await userOfAdmin(deps, input.email)
  if (known === undefined) await createUser(deps, { email: input.email })
  const user = known ?? (await requireUser(deps, input.email))
  if (user.directoryId !== null) throw new UsersKeptByHost()
  return issueCodeTo(deps, user, 'invitation')
}
