import type { Checked } from '@countersign/contract'
import type { Instant } from '../../shared/clock.ts'
import { InvalidOneTimeCode } from '../authentication/errors.ts'
import type { IdentityDeps } from '../deps.ts'
import { hashOfCode } from '../one-time-codes/code-text.ts'
import { type NotifyOfChangeDeps, notifyOfChange } from '../push/notify-of-change.ts'
import type { OneTimeCode } from '../records/one-time-code.ts'
import { mayLogIn, type User } from '../records/user.ts'
import { logRefusal, type RefusalReason } from '../refusals.ts'
import { notifyOfUndone, undoEndedSessions } from '../sessions/undo-ended-sessions.ts'
import type { Undone } from '../user-model/account-endings.ts'
import { UserChangedMeanwhile, UsersKeptByHost } from '../user-model/errors.ts'
import { checkedPassword } from './new-password.ts'

type SetDeps = NotifyOfChangeDeps & Pick<IdentityDeps, 'users' | 'passwords' | 'endings' | 'options'>

const TRIES = 3

/**
 * Sets the password of a user by the code of a reset or an invitation. Ends every session of the user, voids every other code of
 * the user, and removes every device and passkey on probation. Trusts no device. Of concurrent calls with one code, exactly one
 * succeeds. The user's devices are notified.
 * @throws InvalidOneTimeCode for every code that cannot be used, without a reason
 * @throws UsersKeptByHost for a user of the host's directory
 * @throws Invalid for a password that is refused; the code stays usable
 * @throws UserChangedMeanwhile, Unavailable
 * @example await countersign.password.setWithCode({ code, newPassword })
 */
export async function setPasswordWithCode(deps: SetDeps, input: Checked<'password.redeem'>): Promise<void> {
  deps.passwords.ensureRoom?.()
  const hash = hashOfCode(input.code)
  const code = await requireCode(deps, hash)
  const user = await requireUserOf(deps, code)
  await checkedPassword(deps, input.newPassword, user, 'newPassword')
  const passwordHash = await deps.passwords.hash(input.newPassword)
  const removed = await spendCode(deps, code, passwordHash)
  notifyOfChange(deps, { userId: code.userId, change: 'password_changed' })
  notifyOfUndone(deps, code.userId, removed)
}

/** Returns the code with this hash. The look-up costs one read, so that a guess costs no password hash. */
const requireCode = async (deps: SetDeps, hash: string): Promise<OneTimeCode> => {
  const code = await deps.storage.oneTimeCodes.byHash(hash)
  if (code === undefined) throw refused(deps, 'unknown_code')
  if (code.expiresAt <= deps.clock.now()) throw refused(deps, 'expired', code)
  return code
}

/** Logs why a code is refused. Returns the error for the caller, which is the same for every reason. */
const refused = (
  { logger }: SetDeps,
  reason: RefusalReason<'one_time_code_refused'>,
  of?: Pick<OneTimeCode, 'userId'>,
): InvalidOneTimeCode => {
  logRefusal(logger, 'one_time_code_refused', reason, of && { userId: of.userId })
  return new InvalidOneTimeCode()
}

/** Users of a directory have codes too, for their devices. */
const requireUserOf = async (deps: SetDeps, code: OneTimeCode): Promise<User> => {
  const user = await deps.users.byId(code.userId)
  if (user === undefined || !mayLogIn(user)) throw refused(deps, 'user', code)
  if (user.directoryId !== null) throw new UsersKeptByHost()
  if (code.kind === 'enrolment') throw refused(deps, 'wrong_kind', code)
  return user
}

const spendCode = async (deps: SetDeps, code: OneTimeCode, passwordHash: string): Promise<Undone> => {
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const user = await requireUserOf(deps, code)
    const removed = await storePassword(deps, user, code, passwordHash, deps.clock.now())
    if (removed !== undefined) return removed
  }
  throw new UserChangedMeanwhile()
}

/**
 * Returns what was removed; `undefined` if the user was changed meanwhile.
 *
 * @throws InvalidOneTimeCode if the code is spent or has expired
 */
const storePassword = (
  deps: SetDeps,
  { id, version }: User,
  code: OneTimeCode,
  passwordHash: string,
  now: Instant,
): Promise<Undone | undefined> =>
  deps.storage.transaction(async (tx) => {
    if ((await tx.users.change(id, version, { passwordHash }, now)) === undefined) return undefined
    const { hash, kind } = code
    if (!(await tx.oneTimeCodes.spend({ hash, kind, userId: id, now }))) throw refused(deps, 'used', code)
    await tx.oneTimeCodes.voidAllOfUser(id)
    await tx.sessions.endAll({ userId: id }, 'password_changed', now)
    return undoEndedSessions(deps, tx, id, now)
  })
