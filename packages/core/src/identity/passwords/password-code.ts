import type { Checked } from '@countersign/contract'
import type { Instant } from '../../shared/clock.ts'
import { InvalidOneTimeCode } from '../authentication/errors.ts'
import type { IdentityDeps } from '../deps.ts'
import { hashOfCode } from '../one-time-codes/code-text.ts'
import type { OneTimeCode } from '../records/one-time-code.ts'
import { mayLogIn, type User } from '../records/user.ts'
import { logRefusal, type RefusalReason } from '../refusals.ts'
import { UsersKeptByHost } from '../user-model/errors.ts'

/** A code that sets a password. */
export type PasswordCode = OneTimeCode & { readonly kind: Exclude<OneTimeCode['kind'], 'enrolment'> }

/** Logs why a code is refused. Returns the error for the caller, which is the same for every reason. */
export const refusedCode = ({ logger }: IdentityDeps, reason: RefusalReason<'one_time_code_refused'>, of?: OneTimeCode) => {
  logRefusal(logger, 'one_time_code_refused', reason, of && { userId: of.userId })
  return new InvalidOneTimeCode()
}

/**
 * Returns the usable code of this text, and its user, in one read: a guess costs no password hash. @throws InvalidOneTimeCode,
 * UsersKeptByHost
 */
export const requirePasswordCode = async (deps: IdentityDeps, text: string) => {
  const code = await deps.storage.oneTimeCodes.byHash(hashOfCode(text))
  if (code === undefined) throw refusedCode(deps, 'unknown_code')
  if (code.expiresAt <= deps.clock.now()) throw refusedCode(deps, 'expired', code)
  const user = await requireUserOf(deps, code)
  const { kind } = code
  if (kind === 'enrolment') throw refusedCode(deps, 'wrong_kind', code)
  return { code: { ...code, kind } satisfies PasswordCode, user }
}

/** Returns the user of a code, who may log in and whose password is kept here. @throws InvalidOneTimeCode, UsersKeptByHost */
export const requireUserOf = async (deps: IdentityDeps, code: OneTimeCode): Promise<User> => {
  const user = await deps.users.byId(code.userId)
  if (user === undefined || !mayLogIn(user)) throw refusedCode(deps, 'user', code)
  if (user.directoryId !== null) throw new UsersKeptByHost()
  return user
}

/** The kind of a usable code, and a hint of whose password it sets. */
export interface CheckedPasswordCode {
  readonly kind: PasswordCode['kind']
  /** The first letter and the host of the email of the user: `a…@example.com`. */
  readonly email: string
  readonly expiresAt: Instant
}

/**
 * Returns the kind of a code that sets a password, and a hint of whose. Changes nothing, so that a page can show the account, and
 * a program that opens every link of a mail does no harm.
 * @throws InvalidOneTimeCode for every code that cannot be used, without a reason; UsersKeptByHost
 * @example const { kind, email } = await countersign.password.checkCode({ code })
 */
export async function checkPasswordCode(deps: IdentityDeps, input: Checked<'password.checkCode'>): Promise<CheckedPasswordCode> {
  const { code, user } = await requirePasswordCode(deps, input.code)
  const at = user.email.lastIndexOf('@')
  const [first = ''] = user.email
  return { kind: code.kind, email: `${first}…${user.email.slice(at)}`, expiresAt: code.expiresAt }
}
