import { UsersKeptByHost } from '../user-model/errors.ts'
import { requireUser } from '../user-model/require-user.ts'
import { type IssueCodeDeps, type IssuedCode, issueCodeTo } from './issue-code.ts'

/**
 * Issues a code with which a user sets a new password. The code is valid until `expiresAt`.
 * @throws UserNotFound, UserRefused, and UsersKeptByHost if the directory of the host keeps the password
 * @example const { code, expiresAt } = await countersign.users.resetPassword({ email: 'ada@example.com' })
 */
export async function resetPassword(deps: IssueCodeDeps, input: { readonly email: string }): Promise<IssuedCode> {
  const user = await requireUser(deps, input.email)
  if (user.directoryId !== null) throw new UsersKeptByHost()
  return issueCodeTo(deps, user, 'reset')
}
