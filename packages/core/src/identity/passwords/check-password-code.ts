import type { Checked } from '@countersign/contract'
import type { Instant } from '../../shared/clock.ts'
import type { IdentityDeps } from '../deps.ts'
import { type PasswordCode, requirePasswordCode } from './password-code.ts'

/** The kind of a usable code, and a hint of whose password it sets. */
export interface CheckedPasswordCode {
  readonly kind: PasswordCode['kind']
  /** The first letter and the host of the email of the user: `a…@example.com`. */
  readonly email: string
  readonly expiresAt: Instant
}

/**
 * Returns the kind of a code that sets a password, and a hint of whose password it is. Changes nothing, so that a page can show
 * which account the code belongs to, and a program that opens every link of a mail does no harm.
 * @throws InvalidOneTimeCode for every code that cannot be used, without a reason
 * @throws UsersKeptByHost for a user of the host's directory
 * @example const { kind, email } = await countersign.password.checkCode({ code })
 */
export async function checkPasswordCode(
  deps: Pick<IdentityDeps, 'storage' | 'users' | 'clock' | 'logger'>,
  input: Checked<'password.checkCode'>,
): Promise<CheckedPasswordCode> {
  const { code, user } = await requirePasswordCode(deps, input.code)
  const at = user.email.lastIndexOf('@')
  const [first = ''] = user.email
  return { kind: code.kind, email: `${first}…${user.email.slice(at)}`, expiresAt: code.expiresAt }
}
