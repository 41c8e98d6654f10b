import type { Checked } from '@countersign/contract'
import type { FromClient } from '../../shared/from-client.ts'
import { InvalidAccessToken, NoPassword, WrongPassword } from '../authentication/errors.ts'
import type { IdentityDeps } from '../deps.ts'
import { attemptLogin } from '../login/attempt-login.ts'
import { notifyOfChange } from '../push/notify-of-change.ts'
import { mayLogIn, type User } from '../records/user.ts'
import { holdSession, type InSession, requireWithin } from '../sessions/bound-of-caller.ts'
import { notifyOfUndone, undoEndedSessions } from '../sessions/undo-ended-sessions.ts'
import { UserChangedMeanwhile, UsersKeptByHost } from '../user-model/errors.ts'
import { checkedPassword } from './new-password.ts'

type ChangePassword = Checked<'password.change'> & FromClient & InSession

const TRIES = 3

/**
 * Changes the password of the caller, who must know the current password: a wrong one counts as a failed login. Ends every other
 * session and undoes their work, voids every one-time code of the user, and notifies the user's devices.
 * @throws Invalid for a new password that is refused, before the current one is checked; NoPassword, WrongPassword
 * @throws RateLimited while the address must wait after failed logins (`loginWaits`)
 * @throws Forbidden for a session that is bound to tenants, InvalidAccessToken if it has ended
 * @throws UsersKeptByHost, UserChangedMeanwhile, Unavailable
 * @example await countersign.password.change({ caller, currentPassword, newPassword, address: request.ip })
 */
export async function changePassword(deps: IdentityDeps, input: ChangePassword): Promise<void> {
  await requireWithin(deps, input.caller, null)
  deps.passwords.ensureRoom?.()
  const user = await requireCaller(deps, input.caller.userId)
  await checkedPassword(deps, input.newPassword, user, 'newPassword')
  await verifyCurrentPassword(deps, input, user)
  // Runs after the attempt has ended: attempts that wait for this outcome may occupy the hasher.
  const passwordHash = await deps.passwords.hash(input.newPassword)
  const removed = await storePassword(deps, input.caller, user, passwordHash)
  notifyOfChange(deps, { userId: user.id, change: 'password_changed' })
  notifyOfUndone(deps, user.id, removed)
}

const requireCaller = async ({ users }: IdentityDeps, userId: number): Promise<User> => {
  const user = await users.byId(userId)
  if (user === undefined || !mayLogIn(user)) throw new InvalidAccessToken()
  if (user.passwordHash === null) throw new NoPassword()
  if (user.directoryId !== null) throw new UsersKeptByHost()
  return user
}

const verifyCurrentPassword = async (deps: IdentityDeps, input: ChangePassword, user: User): Promise<void> => {
  const source = await deps.loginSourceOf(user.email, input.address)
  await attemptLogin(deps, source, async (attempt) => {
    await attempt.refuseIfDelayed()
    const matches = await deps.passwords.verify(user.passwordHash, input.currentPassword, attempt.reserve)
    // Counts the attempt even if the hasher has not called its guard.
    await attempt.reserve()
    if (!matches) throw new WrongPassword()
    await deps.storage.transaction(attempt.succeed)
  })
}

const storePassword = async (deps: IdentityDeps, caller: InSession['caller'], verified: User, passwordHash: string) => {
  const { storage, clock } = deps
  const { userId, sessionId } = caller
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const user = await requireCaller(deps, userId)
    // Both changed: somebody set another password meanwhile. A new hash alone is a stronger hash of the same password, made at a
    // login.
    if (user.passwordHash !== verified.passwordHash && user.version !== verified.version) throw new WrongPassword()
    const now = clock.now()
    const removed = await storage.transaction(async (tx) => {
      if ((await tx.users.change(userId, user.version, { passwordHash }, now)) === undefined) return undefined
      await holdSession(tx, caller)
      await tx.sessions.endAll({ userId, except: sessionId }, 'password_changed', now)
      await tx.oneTimeCodes.voidAllOfUser(userId)
      return undoEndedSessions(deps, tx, userId, now, 'of_ended_sessions')
    })
    if (removed !== undefined) return removed
  }
  throw new UserChangedMeanwhile()
}
