import { createHash } from 'node:crypto'
import type { Checked } from '@countersign/contract'
import type { Deps } from '../deps.ts'
import { RateLimited } from '../errors.ts'
import { normaliseEmail } from '../users/email.ts'
import type { User } from '../users/user.ts'
import { InvalidCredentials } from './errors.ts'
import { issueTokens, type TokenPair } from './issue-tokens.ts'
import { waitAfterFailures } from './login-failures.ts'
import { newSession } from './new-session.ts'
import { openSession } from './open-session.ts'

type LoginDeps = Pick<Deps, 'storage' | 'users' | 'clock' | 'random' | 'passwords' | 'tokenKeys' | 'options' | 'logger'>

/** Failures are counted under a digest, so that the table of failures is no list of addresses. */
const accountOf = (email: string): string => createHash('sha256').update(`login\0${email}`).digest('base64url')

/**
 * Logs in with email and password and opens a session. An account that is unknown, disabled or without password gets
 * the same answer, after the same work, as a wrong password.
 *
 * @throws InvalidCredentials, RateLimited after ten failures in a row, Unavailable where too many logins wait
 */
export const login = async (deps: LoginDeps, input: Checked<'auth.login'>): Promise<TokenPair> => {
  const { storage, users, clock, passwords, options } = deps
  passwords.ensureRoom?.()
  const email = normaliseEmail(input.email)
  const account = accountOf(email)
  let failedBefore = false
  const waitIsOver = async () => {
    if (options.rateLimits === 'off') return
    const failures = await storage.loginFailures.of(account)
    failedBefore = failures !== undefined
    const wait = waitAfterFailures(failures, clock.now())
    if (wait > 0) throw new RateLimited(wait)
  }

  await waitIsOver()
  const candidate = await users.byEmail(email)
  // Asked again when it is this login's turn to hash: of many that came at once, those behind the tenth failure wait.
  const matches = await passwords.verify(candidate?.passwordHash ?? null, input.password, waitIsOver)

  const now = clock.now()
  const fail = async (): Promise<never> => {
    if (options.rateLimits !== 'off') await storage.loginFailures.add(account, now)
    throw new InvalidCredentials()
  }
  const user = matches ? await candidate?.recognise() : undefined
  if (user === undefined || user.disabledAt !== null) return fail()

  const session = newSession(deps, { userId: user.id, authMethod: 'password', rememberMe: input.rememberMe ?? false }, now)
  const admitted = await openSession(deps, user, session)
  if (admitted === undefined) return fail()
  if (failedBefore) await storage.loginFailures.clear(account)
  await upgradeHash(deps, user, input.password)
  return issueTokens(deps, admitted, session, now)
}

/**
 * Replaces a hash of weaker parameters while the password is known; a directory's hashes are its own. The login stands
 * whether it succeeds or not.
 */
const upgradeHash = async (
  { storage, passwords, logger }: Pick<Deps, 'storage' | 'passwords' | 'logger'>,
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
