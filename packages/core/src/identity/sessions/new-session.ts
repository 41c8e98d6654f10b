import type { AuthMethod } from '@countersign/contract'
import type { Instant } from '../../shared/clock.ts'
import { randomUuid } from '../../shared/random.ts'
import type { IdentityDeps } from '../deps.ts'
import { refreshExpiry } from './refresh-expiry.ts'
import type { Session } from './session.ts'

/** Returns a new session for a login at `now`. The session is not stored. */
export const newSession = (
  { random, options }: Pick<IdentityDeps, 'random' | 'options'>,
  login: {
    /** A random UUID by default. */
    readonly id?: string
    readonly userId: number
    readonly authMethod: AuthMethod
    readonly deviceId?: string
    readonly passkeyId?: string
    readonly userVerified?: boolean
    readonly rememberMe: boolean
  },
  now: Instant,
): Session => {
  const kind = login.deviceId === undefined ? 'standard' : 'biometric'
  return {
    ...login,
    deviceId: login.deviceId ?? null,
    passkeyId: login.passkeyId ?? null,
    userVerified: login.userVerified ?? false,
    id: login.id ?? randomUuid(random),
    kind,
    createdAt: now,
    lastUsedAt: now,
    refreshTokenId: randomUuid(random),
    previousRefreshTokenId: null,
    rotatedAt: now,
    refreshExpiresAt: refreshExpiry({ kind, rememberMe: login.rememberMe, createdAt: now }, options, now),
    endedAt: null,
    endReason: null,
  }
}
