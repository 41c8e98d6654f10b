import type { AuthMethod } from '@countersign/contract'
import type { Instant } from '../../shared/clock.ts'
import type { SeenClient } from '../../shared/from-client.ts'
import { randomUuid } from '../../shared/random.ts'
import type { IdentityDeps } from '../deps.ts'
import type { IdentityOptions } from '../options.ts'
import type { Bound } from '../records/bound.ts'
import type { HostSignIn, Session } from '../records/session.ts'
import { sealOpenedFrom } from './opened-from.ts'

export interface NewSession {
  /** A random UUID by default. */
  readonly id?: string
  readonly userId: number
  readonly authMethod: AuthMethod
  readonly deviceId?: string
  readonly passkeyId?: string
  readonly userVerified?: boolean
  readonly host?: HostSignIn
  /** The bound of the session; `null` by default. */
  readonly tenants?: Bound
  readonly rememberMe: boolean
  readonly client: SeenClient
}

/** Returns a new session for a login at `now`. The session is not stored. */
export const newSession = (
  deps: Pick<IdentityDeps, 'random' | 'options' | 'encryptionKeys'>,
  login: NewSession,
  now: Instant,
): Session => {
  const { random, options } = deps
  const { client, ...fields } = login
  const id = login.id ?? randomUuid(random)
  const kind = login.deviceId === undefined ? 'standard' : 'biometric'
  return {
    ...fields,
    deviceId: login.deviceId ?? null,
    passkeyId: login.passkeyId ?? null,
    userVerified: login.userVerified ?? false,
    host: login.host ?? null,
    tenants: login.tenants ?? null,
    id,
    kind,
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
 * Returns the expiry of a refresh token that is issued at `now`.
 *
 * A standard token lasts for `refreshTokenLifetime`, and at most until `sessionLifetime` after the login. With `rememberMe`, it
 * lasts until `sessionLifetime` after the login. A biometric token lasts until `biometricRefreshTokenLifetime` after the login.
 * With `rememberMe`, each rotation gives a biometric token this lifetime again.
 */
export const refreshExpiry = (
  session: Pick<Session, 'kind' | 'rememberMe' | 'createdAt'>,
  options: IdentityOptions,
  now: Instant,
): Instant => {
  if (session.kind === 'biometric') {
    return (session.rememberMe ? now : session.createdAt) + options.biometricRefreshTokenLifetime
  }
  const end = session.createdAt + options.sessionLifetime
  return session.rememberMe ? end : Math.min(now + options.refreshTokenLifetime, end)
}
