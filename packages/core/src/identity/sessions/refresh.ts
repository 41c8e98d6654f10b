import { createHash } from 'node:crypto'
import type { Checked } from '@countersign/contract'
import { randomUuid } from '../../shared/random.ts'
import { InvalidRefreshToken } from '../authentication/errors.ts'
import type { IdentityDeps } from '../deps.ts'
import type { IdentityOptions } from '../options.ts'
import type { RepeatedRotation, Rotation, Session } from '../records/session.ts'
import { logRefusal, type RefusalReason } from '../refusals.ts'
import { ensureTokens, issueTokens, type TokenPair } from '../tokens/issue-tokens.ts'
import { signedClaims, verifyTokenUncached } from '../tokens/verify-token.ts'
import { refreshExpiry } from './open-session.ts'

type RefreshUse = 'refresh' | 'biometric_refresh'

type Reason = RefusalReason<'refresh_token_refused'>

/**
 * Exchanges a standard refresh token for a new token pair. A second use ends the session, except within the leeway
 * (`Options.refreshLeeway`), or by a client that repeats its own refresh (`Options.renewalWindow`). @throws InvalidRefreshToken
 * @example const tokens = await countersign.auth.refresh({ refreshToken })
 */
export function refresh(deps: IdentityDeps, input: Checked<'auth.refresh'>): Promise<TokenPair> {
  return refreshTokens(deps, input, 'refresh')
}

/**
 * Exchanges the refresh token of a device login; `refresh` accepts no such token. @throws InvalidRefreshToken
 * @example const tokens = await countersign.mobile.refresh({ refreshToken })
 */
export function refreshDeviceLogin(deps: IdentityDeps, input: Checked<'auth.refresh'>): Promise<TokenPair> {
  return refreshTokens(deps, input, 'biometric_refresh')
}

const refreshTokens = async (deps: IdentityDeps, input: Checked<'auth.refresh'>, use: RefreshUse): Promise<TokenPair> => {
  const { storage, users, clock, options, random, logger } = deps
  const { sessions } = storage
  const claims = verifyTokenUncached(deps, input.refreshToken, [use])
  if (claims === undefined) throw unverified(deps, input.refreshToken, use)
  const refuse = (reason: Reason) => refused(deps, reason, claims.id, claims.session_id)
  const status = await users.statusToRefresh(claims.session_id)
  if (status === undefined || status.userId !== claims.id) throw refuse('session_ended')
  const user = { ...status, id: status.userId }
  const now = clock.now()
  const keyHash = input.renewalKey === undefined ? null : renewalKeyHash(input.renewalKey, claims.jti)

  /** Ends the session of a token that was spent before (RFC 9700 §4.14.2), unless the rotation may be answered again. */
  const presentedAgain = async (current: Session): Promise<TokenPair> => {
    const repeated = { sessionId: current.id, fromTokenId: claims.jti, admitted: admitted(keyHash, options), now }
    const successor = await sessions.rotatedBefore(repeated)
    if (successor !== undefined)
      return issueTokens(deps, user, { ...successor, trustedAt: status.trustedAt, tenants: status.tenants }, now)
    if (await sessions.end(current.id, 'token_reuse', now)) {
      logger.warn('refresh_token_reused', { sessionId: current.id, userId: current.userId })
    }
    throw refuse('reused')
  }

  const rotation: Rotation = {
    sessionId: claims.session_id,
    fromTokenId: claims.jti,
    toTokenId: randomUuid(random),
    keyHash,
    expiresAt: refreshExpiry(status, options, now),
    now,
  }
  const { authMethod, deviceId, trustedAt, tenants } = status
  const renewed = { refreshTokenId: rotation.toTokenId, rotatedAt: now, refreshExpiresAt: rotation.expiresAt }
  const session = { id: rotation.sessionId, authMethod, deviceId, trustedAt, tenants, ...renewed }
  // Checked before the rotation of the token. Otherwise the client would lose its token without a new one, and end the session by
  // presenting it again.
  ensureTokens(deps, user, session, now)
  // The rotation alone decides whether the token is still valid: one statement checks and spends the token.
  if (await sessions.rotate(rotation)) return issueTokens(deps, user, session, now)
  const current = await sessions.byId(claims.session_id)
  if (current === undefined || current.endedAt !== null) throw refuse('session_ended')
  if (current.refreshTokenId === claims.jti) throw refuse('expired')
  return presentedAgain(current)
}

/**
 * Returns the hash of a client's key for the rotation that spends this token, and for no other. A fast hash suffices, because the
 * key has at least 128 random bits.
 */
const renewalKeyHash = (key: string, spentTokenId: string): string =>
  createHash('sha256').update(`countersign/v1/renewal-key\0${spentTokenId}\0${key}`).digest('base64url')

/** Logs why a refresh token that we signed is refused. Returns the error for the caller, which has no reason. */
const refused = ({ logger }: IdentityDeps, reason: Reason, userId: number, sessionId: string) => {
  logRefusal(logger, 'refresh_token_refused', reason, { userId, sessionId })
  return new InvalidRefreshToken()
}

/** Logs why a token does not verify. Returns the error for the caller, which has no reason. */
const unverified = (deps: IdentityDeps, token: string, use: RefreshUse): InvalidRefreshToken => {
  const claims = signedClaims(deps, token)
  if (claims === undefined || claims.token_use === 'service') {
    logRefusal(deps.logger, 'refresh_token_refused', claims === undefined ? 'signature' : 'wrong_use')
    return new InvalidRefreshToken()
  }
  const reason = claims.token_use !== use ? 'wrong_use' : claims.iss !== deps.options.issuer ? 'issuer' : 'expired'
  return refused(deps, reason, claims.id, claims.session_id)
}

/** Returns which rotations are answered again: within the leeway without a key, and for the longer of both times with the key. */
const admitted = (keyHash: string | null, { refreshLeeway, renewalWindow }: IdentityOptions): RepeatedRotation['admitted'] =>
  [
    { keyHash: null, within: refreshLeeway },
    ...(keyHash === null ? [] : [{ keyHash, within: Math.max(refreshLeeway, renewalWindow) }]),
  ].filter(({ within }) => within > 0)
