import type { Checked } from '@countersign/contract'
import { RateLimited } from '../../shared/errors.ts'
import { type FromClient, seenClient } from '../../shared/from-client.ts'
import { InvalidCredentials } from '../authentication/errors.ts'
import type { IdentityDeps } from '../deps.ts'
import { mayLogIn, type User } from '../records/user.ts'
import { logRefusal, type RefusalReason } from '../refusals.ts'
import { newSession } from '../sessions/new-session.ts'
import { openSession } from '../sessions/open-session.ts'
import { issueTokens, type TokenPair } from '../tokens/issue-tokens.ts'
import { normaliseEmail } from '../user-model/email.ts'
import { attemptLogin } from './attempt-login.ts'

type LoginDeps = Pick<
  IdentityDeps,
  | 'storage'
  | 'users'
  | 'clock'
  | 'random'
  | 'passwords'
  | 'tokenKeys'
  | 'encryptionKeys'
  | 'options'
  | 'logger'
  | 'attemptsInProgress'
  | 'loginSourceOf'
>

/**
 * Logs in with email and password, and opens a session. An account that is unknown, disabled or without a password gets the
 * same answer as a wrong password, after the same work.
 * @throws InvalidCredentials
 * @throws RateLimited after 20 consecutive failures from the address
 * @throws Unavailable if too many logins are waiting
 * @example const { accessToken, refreshToken } = await countersign.auth.login({ email, password, address: request.ip })
 */
export async function login(deps: LoginDeps, input: Checked<'auth.login'> & FromClient): Promise<TokenPair> {
  deps.passwords.ensureRoom?.()
  const { user, admitted, session } = await admitByPassword(deps, input).catch((error: unknown) => {
    if (error instanceof RateLimited) logRefusal(deps.logger, 'login_refused', 'wait')
    throw error
  })
  // Runs after the attempt has ended: attempts that wait for this outcome may occupy the hasher.
  await upgradeHash(deps, user, input.password)
  return issueTokens(deps, admitted, session, session.createdAt)
}

/** Logs why a login is refused. Returns the error for the caller, which is the same for every reason. */
const refused = (
  { logger }: Pick<IdentityDeps, 'logger'>,
  reason: RefusalReason<'login_refused'>,
  userId?: number,
): InvalidCredentials => {
  logRefusal(logger, 'login_refused', reason, userId === undefined ? undefined : { userId })
  return new InvalidCredentials()
}

const admitByPassword = async (deps: LoginDeps, input: Checked<'auth.login'> & FromClient) => {
  const { users, clock, passwords } = deps
  const { email: given, password, rememberMe = false, address } = input
  const email = normaliseEmail(given)
  return attemptLogin(deps, await deps.loginSourceOf(email, address), async (attempt) => {
    const admission = attempt.refuseIfDelayed()
    // With a directory, the limit is checked first, so that a refused login does not query the directory. Without a directory,
    // both reads share one round trip.
    if (users.areKeptByHost) await admission
    const [candidate, like, isKnown] = await Promise.all([users.byEmail(email), users.hashLike(email), admission])
    const reserve = () => attempt.reserve(isKnown)
    const matches = await passwords.verify(candidate?.passwordHash ?? null, password, reserve, like)
    // Counts the attempt even if the hasher has not called its guard.
    await reserve()

    if (candidate === undefined) throw refused(deps, 'unknown_user')
    if (candidate.barred !== undefined) throw refused(deps, candidate.barred, candidate.id)
    if (!matches) throw refused(deps, candidate.passwordHash === null ? 'no_password' : 'password', candidate.id)
    const user = await candidate.recognise()
    if (user === undefined || !mayLogIn(user)) throw refused(deps, 'changed', candidate.id)
    const session = newSession(
      deps,
      { userId: user.id, authMethod: 'password', rememberMe, client: seenClient(input) },
      clock.now(),
    )
    const admitted = await openSession(deps, user, session, async (tx) => {
      await attempt.succeed(tx)
      return true
    })
    if (admitted === undefined) throw refused(deps, 'changed', user.id)
    return { user, admitted, session }
  })
}

/**
 * Replaces a password hash that has weaker parameters, while the password is known. Hashes of a directory are left alone. The
 * login succeeds even if this update fails.
 */
const upgradeHash = async (
  { storage, passwords, logger }: Pick<IdentityDeps, 'storage' | 'passwords' | 'logger'>,
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
