import { type Instant, type Milliseconds, realTime } from '../../shared/clock.ts'
import { randomUuid } from '../../shared/random.ts'
import type { BaseDeps } from '../base-deps.ts'
import type { Session } from '../records/session.ts'
import { fitsInToken, type TokenUserData, tokenUserData } from '../records/token-room.ts'
import { type Trust, trustLevelOf } from '../records/trust.ts'
import type { User } from '../records/user.ts'
import { type SignedToken, signToken, TokenTooLong } from './sign-token.ts'
import type { TokenKeys } from './token-keys.ts'

/** The token pair of a login or refresh: two JWTs (RFC 7519) and their expiries, in milliseconds since 1970. */
export interface TokenPair {
  /** The user and the device whose session the pair belongs to. The tokens name them too. */
  readonly userId: number
  readonly deviceId: string | null
  readonly accessToken: string
  readonly refreshToken: string
  readonly accessTokenExpiresAt: Instant
  readonly refreshTokenExpiresAt: Instant
}

export type IssueDeps = Pick<BaseDeps, 'clock' | 'random' | 'options' | 'logger'> & { readonly tokenKeys: TokenKeys }

/** The data of a user and of a session that tokens contain. Without `trustedAt` the trust level is `standard`. */
type TokenUser = TokenUserData & Pick<User, 'id'>
type TokenSession = Pick<
  Session,
  'id' | 'authMethod' | 'deviceId' | 'refreshTokenId' | 'rotatedAt' | 'refreshExpiresAt' | 'tenants'
> &
  Partial<Trust>

/** Signs an access token, which ends with its session at the latest, in real times: others compare them with their own clocks. */
const signAccessToken = (deps: IssueDeps, user: TokenUser, session: TokenSession, now: Instant): SignedToken => {
  const content = {
    id: user.id,
    ...tokenUserData(user),
    // A token contains only permissions that apply everywhere, and a bound session has no such permission.
    ...(session.tenants !== null && { permissions: [] }),
    auth_method: session.authMethod,
    session_id: session.id,
    sub: String(user.id),
    jti: randomUuid(deps.random),
  }
  const issuedAt = realTime(deps.clock, now)
  const endOfSession = realTime(deps.clock, session.refreshExpiresAt)
  const validFor = (lifetime: Milliseconds) => ({ issuedAt, expiresAt: Math.min(issuedAt + lifetime, endOfSession) })
  if (session.deviceId !== null) {
    const trustLevel = trustLevelOf({ deviceId: session.deviceId, trustedAt: session.trustedAt ?? null }, now)
    const life = validFor(deps.options.biometricAccessTokenLifetime)
    return signToken(deps, 'biometric_access', { ...content, device_id: session.deviceId, trust_level: trustLevel }, life)
  }
  return signToken(deps, 'access', { ...content, trust_level: 'standard' }, validFor(deps.options.accessTokenLifetime))
}

/** Signs the current refresh token of the session, from the row alone, so that signing again gives the same token. */
const signRefreshToken = (deps: IssueDeps, user: TokenUser, session: TokenSession): SignedToken => {
  const content = { id: user.id, email: user.email, session_id: session.id, sub: String(user.id), jti: session.refreshTokenId }
  const life = { issuedAt: session.rotatedAt, expiresAt: session.refreshExpiresAt }
  return session.deviceId === null
    ? signToken(deps, 'refresh', content, life)
    : signToken(deps, 'biometric_refresh', { ...content, device_id: session.deviceId }, life)
}

/** Logs a token that would be too long. The user gets no reason; the operator must know. */
const loggingTooLong = <T>({ logger }: IssueDeps, { id: userId }: TokenUser, sign: () => T): T => {
  try {
    return sign()
  } catch (error) {
    if (error instanceof TokenTooLong) logger.error('token_too_long', { userId, characters: error.characters })
    throw error
  }
}

/** Issues a new access token, and the refresh token that the row names. @throws TokenTooLong, and logs it */
export const issueTokens = (deps: IssueDeps, user: TokenUser, session: TokenSession, now: Instant): TokenPair => {
  const access = loggingTooLong(deps, user, () => signAccessToken(deps, user, session, now))
  const refresh = signRefreshToken(deps, user, session)
  return {
    userId: user.id,
    deviceId: session.deviceId,
    accessToken: access.token,
    refreshToken: refresh.token,
    accessTokenExpiresAt: access.expiresAt,
    refreshTokenExpiresAt: refresh.expiresAt,
  }
}

/** Throws if `issueTokens` would, before a session is opened or refreshed. @throws TokenTooLong */
export const ensureTokens = (deps: IssueDeps, user: TokenUser, session: TokenSession, now: Instant): void => {
  if (!fitsInToken(tokenUserData(user))) issueTokens(deps, user, session, now)
}
