import type { Checked } from '@countersign/contract'
import { RateLimited } from '../../shared/errors.ts'
import { type FromClient, seenClient } from '../../shared/from-client.ts'
import { InvalidCredentials } from '../authentication/errors.ts'
import type { IdentityDeps } from '../deps.ts'
import { mayLogIn, type User } from '../records/user.ts'
import { logRefusal, type RefusalReason } from '../refusals.ts'
import { newSession, openSession } from '../sessions/open-session.ts'
import { issueTokens, type TokenPair } from '../tokens/issue-tokens.ts'
import { normaliseEmail } from '../user-model/email.ts'
import { attemptLogin, type LoginAttempt } from './attempt-login.ts'

type PasswordLogin = Checked<'auth.login'> & FromClient

/**
 * Logs in with email and password, and opens a session. An account that is unknown, disabled or without a password gets the same
 * answer as a wrong password, after the same work.
 * @throws InvalidCredentials, Unavailable if too many logins are waiting
 * @throws RateLimited while the address must wait after failed logins (`loginWaits`)
 * @example const { accessToken, refreshToken } = await countersign.auth.login({ email, password, address: request.ip })
 */
export async function login(deps: IdentityDeps, input: Checked<'auth.login'> & FromClient): Promise<TokenPair> {
  deps.passwords.ensureRoom?.()
  const email = normaliseEmail(input.email)
  const source = await deps.loginSourceOf(email, input.address)
  const opening = attemptLogin(deps, source, (attempt) => openByPassword(deps, attempt, email, input))
  const { user, opened, session } = await opening.catch((error: unknown) => {
    if (error instanceof RateLimited) logRefusal(deps.logger, 'login_refused', 'wait')
    throw error
  })
  // Runs after the attempt has ended: attempts that wait for this outcome may occupy the hasher.
  await upgradeHash(deps, user, input.password)
  return issueTokens(deps, opened, session, session.createdAt)
}

/** Logs why a login is refused. Returns the error for the caller, which is the same for every reason. */
const refused = ({ logger }: IdentityDeps, reason: RefusalReason<'login_refused'>, userId?: number): InvalidCredentials => {
  logRefusal(logger, 'login_refused', reason, userId === undefined ? undefined : { userId })
  return new InvalidCredentials()
}

/** Opens a session. Returns the user whose password was checked, and the user as of the opening of the session. */
const openByPassword = async (deps: IdentityDeps, attempt: LoginAttempt, email: string, input: PasswordLogin) => {
  const { users, clock } = deps
  const delay = attempt.refuseIfDelayed()
  // With a directory, the limit is checked first, so that a refused login does not query the directory. Without a directory,
  // both reads share one round trip.
  if (users.areKeptByHost) await delay
  const [candidate, like] = await Promise.all([users.byEmail(email), users.hashLike(email), delay])
  const matches = await deps.passwords.verify(candidate?.passwordHash ?? null, input.password, attempt.reserve, like)
  // Counts the attempt even if the hasher has not called its guard.
  await attempt.reserve()

  if (candidate === undefined) throw refused(deps, 'unknown_user')
  if (candidate.barred !== undefined) throw refused(deps, candidate.barred, candidate.id)
  if (!matches) throw refused(deps, candidate.passwordHash === null ? 'no_password' : 'password', candidate.id)
  const user = await candidate.recognise()
  if (user === undefined || !mayLogIn(user)) throw refused(deps, 'changed', candidate.id)
  const { rememberMe = false } = input
  const login = { userId: user.id, authMethod: 'password', rememberMe, client: seenClient(input) } as const
  const session = newSession(deps, login, clock.now())
  const opening = await openSession(deps, user, session, attempt.succeed)
  if ('refused' in opening) throw refused(deps, 'changed', user.id)
  return { user, opened: opening.user, session }
}

/** Replaces a weak hash while the password is known, but no hash of a directory. The login succeeds even if this fails. */
const upgradeHash = async (
  { storage, passwords, logger }: IdentityDeps,
  { id: userId, directoryId, passwordHash }: User,
  password: string,
): Promise<void> => {
  if (directoryId !== null || passwordHash === null || !passwords.isOutdated(passwordHash)) return
  try {
    await storage.users.upgradePasswordHash(userId, passwordHash, await passwords.hash(password))
  } catch (error) {
    logger.warn('password_hash_not_upgraded', { userId, reason: error instanceof Error ? error.name : 'unknown' })
  }
}
