import { requireUser } from '../user-model/require-user.ts'
import { type IssueCodeDeps, type IssuedCode, issueCodeTo } from './issue-code.ts'

/**
 * Issues a code with which the user enrols a trusted device or passkey. The code is valid until `expiresAt`.
 * @throws UserNotFound, UserRefused
 * @example const { code, expiresAt } = await countersign.users.enrol({ email: 'ada@example.com' })
 */
export async function enrolUser(deps: IssueCodeDeps, input: { readonly email: string }): Promise<IssuedCode> {
  return issueCodeTo(deps, await requireUser(deps, input.email), 'enrolment')
}
