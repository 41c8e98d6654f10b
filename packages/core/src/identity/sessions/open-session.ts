import type { Instant } from '../../shared/clock.ts'
import type { SeenClient } from '../../shared/from-client.ts'
import { randomUuid } from '../../shared/random.ts'
import type { IdentityDeps } from '../deps.ts'
import type { IdentityOptions } from '../options.ts'
import type { Session } from '../records/session.ts'
import { mayLogIn, type User } from '../records/user.ts'
import type { IdentityStores } from '../stores.ts'
import { ensureTokens } from '../tokens/issue-tokens.ts'
import { sealOpenedFrom } from './session-profile.ts'

/** A session to open. Without an id, it gets a random one; it is not bound by default. */
export type NewSession = Pick<Session, 'userId' | 'authMethod' | 'rememberMe'> &
  Partial<Pick<Session, 'id' | 'deviceId' | 'passkeyId' | 'userVerified' | 'host' | 'tenants'>> & { readonly client: SeenClient }

/** Returns a new session for a login at `now`. The session is not stored. */
export const newSession = (deps: IdentityDeps, { client, ...login }: NewSession, now: Instant): Session => {
  const { random, options } = deps
  const { id = randomUuid(random), deviceId = null, passkeyId = null, userVerified = false, host = null, tenants = null } = login
  const kind = deviceId === null ? 'standard' : 'biometric'
  return {
    ...login,
    id,
    kind,
    deviceId,
    passkeyId,
    userVerified,
    host,
    tenants,
    openedFrom: sealOpenedFrom(deps, id, client),
    createdAt: now,
    lastUsedAt: now,
    refreshTokenId: randomUuid(random),
    previousRefreshTokenId: null,
    renewalKeyHash: null,
    rotatedAt: now,
    refreshExpiresAt: refreshExpiry({ kind, rememberMe: login.rememberMe, createdAt: now }, options, now),
    endedAt: null,
    endReason: null,
  }
}

/**
 * Returns the expiry of a refresh token that is issued at `now`. A biometric one lasts for `biometricRefreshTokenLifetime` after
 * the login, or with `rememberMe` after each rotation. A standard one lasts for `refreshTokenLifetime`, or with `rememberMe`
 * longer, until `sessionLifetime` after the login at the most.
 */
export const refreshExpiry = (
  session: Pick<Session, 'kind' | 'rememberMe' | 'createdAt'>,
  options: IdentityOptions,
  now: Instant,
): Instant => {
  if (session.kind === 'biometric') return (session.rememberMe ? now : session.createdAt) + options.biometricRefreshTokenLifetime
  const end = session.createdAt + options.sessionLifetime
  return session.rememberMe ? end : Math.min(now + options.refreshTokenLifetime, end)
}

const TRIES = 3

/** Returns whether a user may still log in, with the same password. Changed permissions do not matter. */
const isStillAdmitted = (decided: User, now: User | undefined): now is User =>
  now !== undefined && mayLogIn(now) && now.passwordHash === decided.passwordHash

/**
 * Opens a session, unless the user was disabled, was locked or got another password since the decision. The least recently used
 * session ends if the user has too many (see `SessionStore.open`). Returns the user as of the opening, or who refused.
 *
 * @param companion Runs in the same transaction, before the session is opened. A returned reason refuses the session.
 * @param first Runs in the same transaction, before the row of the user is locked.
 * @throws TokenTooLong if the tokens of the session would be too long
 */
export const openSession = async <R = never>(
  deps: IdentityDeps,
  decided: User,
  session: Session,
  companion: (tx: IdentityStores) => Promise<R | undefined>,
  first: (tx: IdentityStores) => Promise<void> = async () => {},
): Promise<{ readonly user: User } | { readonly refused: R | 'user' }> => {
  const { storage } = deps
  let user = decided
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const { id, version } = user
    ensureTokens(deps, user, session, session.createdAt)
    const outcome = await storage.transaction(async (tx) => {
      await first(tx)
      if (!(await tx.users.admit(id, version))) return 'changed'
      const refused = await companion(tx)
      if (refused !== undefined) return { refused }
      await tx.sessions.open(session, deps.options.sessionsPerUser)
      return { user }
    })
    if (outcome !== 'changed') return outcome
    const now = await storage.users.byId(id)
    if (!isStillAdmitted(decided, now)) break
    user = now
  }
  return { refused: 'user' }
}
