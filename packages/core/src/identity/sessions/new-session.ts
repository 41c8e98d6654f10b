import type { AuthMethod } from '@countersign/contract'
import type { Instant } from '../../shared/clock.ts'
import type { SeenClient } from '../../shared/from-client.ts'
import { randomUuid } from '../../shared/random.ts'
import type { IdentityDeps } from '../deps.ts'
import type { HostSignIn, Session } from '../records/session.ts'
import { sealOpenedFrom } from './opened-from.ts'
import { refreshExpiry } from './refresh-expiry.ts'

export interface NewSession {
  /** A random UUID by default. */
  readonly id?: string
  readonly userId: number
  readonly authMethod: AuthMethod
  readonly deviceId?: string
  readonly passkeyId?: string
  readonly userVerified?: boolean
  readonly host?: HostSignIn
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
