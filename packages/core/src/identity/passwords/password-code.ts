import { InvalidOneTimeCode } from '../authentication/errors.ts'
import type { IdentityDeps } from '../deps.ts'
import { hashOfCode } from '../one-time-codes/code-text.ts'
import type { OneTimeCode } from '../records/one-time-code.ts'
import { mayLogIn, type User } from '../records/user.ts'
import { logRefusal, type RefusalReason } from '../refusals.ts'
import { UsersKeptByHost } from '../user-model/errors.ts'

type CodeDeps = Pick<IdentityDeps, 'storage' | 'users' | 'clock' | 'logger'>

/** A code that sets a password. */
export type PasswordCode = OneTimeCode & { readonly kind: Exclude<OneTimeCode['kind'], 'enrolment'> }

/** Logs why a code is refused. Returns the error for the caller, which is the same for every reason. */
export const refusedCode = (
  { logger }: Pick<CodeDeps, 'logger'>,
  reason: RefusalReason<'one_time_code_refused'>,
  of?: Pick<OneTimeCode, 'userId'>,
): InvalidOneTimeCode => {
  logRefusal(logger, 'one_time_code_refused', reason, of && { userId: of.userId })
  return new InvalidOneTimeCode()
}

/**
 * Returns the usable code of this text, and its user. The look-up costs one read, so that a guess costs no password hash.
 *
 * @throws InvalidOneTimeCode, UsersKeptByHost
 */
export const requirePasswordCode = async (
  deps: CodeDeps,
  text: string,
): Promise<{ readonly code: PasswordCode; readonly user: User }> => {
  const code = await deps.storage.oneTimeCodes.byHash(hashOfCode(text))
  if (code === undefined) throw refusedCode(deps, 'unknown_code')
  if (code.expiresAt <= deps.clock.now()) throw refusedCode(deps, 'expired', code)
  const user = await requireUserOf(deps, code)
  const { kind } = code
  if (kind === 'enrolment') throw refusedCode(deps, 'wrong_kind', code)
  return { code: { ...code, kind }, user }
}

/**
 * Returns the user of a code, who may log in. Users of a directory have codes too, for their devices.
 *
 * @throws InvalidOneTimeCode, UsersKeptByHost
 */
export const requireUserOf = async (deps: CodeDeps, code: OneTimeCode): Promise<User> => {
  const user = await deps.users.byId(code.userId)
  if (user === undefined || !mayLogIn(user)) throw refusedCode(deps, 'user', code)
  if (user.directoryId !== null) throw new UsersKeptByHost()
  return user
}
