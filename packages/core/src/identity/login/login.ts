import type { Checked } from '@countersign/contract'
import { InvalidCredentials } from '../authentication/errors.ts'
import type { IdentityDeps } from '../deps.ts'
import { newSession } from '../sessions/new-session.ts'
import { openSession } from '../sessions/open-session.ts'
import { issueTokens, type TokenPair } from '../tokens/issue-tokens.ts'
import { normaliseEmail } from '../users/email.ts'
import type { User } from '../users/user.ts'
import { attemptLogin } from './attempt-login.ts'
import type { FromClient } from './from-client.ts'

type LoginDeps = Pick<
  IdentityDeps,
  'storage' | 'users' | 'clock' | 'random' | 'passwords' | 'tokenKeys' | 'options' | 'logger' | 'loginTries' | 'loginSourceOf'
>

/**
 * Logs in with email and password and opens a session. An account that is unknown, disabled or without password gets
 * the same answer, after the same work, as a wrong password.
 *
 * @throws InvalidCredentials, RateLimited after 20 failures in a row from the address, Unavailable where too many logins wait
 */
export const login = async (deps: LoginDeps, input: Checked<'auth.login'> & FromClient): Promise<TokenPair> => {
  deps.passwords.ensureRoom?.()
  const { user, admitted, session } = await admitByPassword(deps, input)
  // What waits for the outcome of this login may hold the turns to hash, so it is told before another turn is waited for.
  await upgradeHash(deps, user, input.password)
  return issueTokens(deps, admitted, session, session.createdAt)
}

const admitByPassword = (
  deps: LoginDeps,
  { email: given, password, rememberMe = false, address }: Checked<'auth.login'> & FromClient,
) => {
  const { users, clock, passwords } = deps
  const email = normaliseEmail(given)
  return attemptLogin(deps, deps.loginSourceOf(email, address), async (attempt) => {
    const isFree = attempt.look()
    // A host's directory is not asked in vain; our own users are found in the same round trip.
    if (users.areKeptElsewhere) await isFree
    const [candidate] = await Promise.all([users.byEmail(email), isFree])
    const matches = await passwords.verify(candidate?.passwordHash ?? null, password, attempt.reserve)
    // A hasher that does not ask its guard makes no try free.
    await attempt.reserve()

    const user = matches ? await candidate?.recognise() : undefined
    if (user === undefined || user.disabledAt !== null) throw new InvalidCredentials()
    const session = newSession(deps, { userId: user.id, authMethod: 'password', rememberMe }, clock.now())
    const admitted = await openSession(deps, user, session, async (tx) => {
      await attempt.succeed(tx)
      return true
    })
    if (admitted === undefined) throw new InvalidCredentials()
    return { user, admitted, session }
  })
}

/**
 * Replaces a hash of weaker parameters while the password is known; a directory's hashes are its own. The login stands
 * whether it succeeds or not.
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
