import type { Deps } from '../deps.ts'
import { inStep } from '../in-step.ts'
import type { Instant } from '../ports/clock.ts'
import { randomUuid } from '../ports/random.ts'
import type { Session } from '../sessions/session.ts'
import { type SignedToken, signToken } from '../tokens/sign-token.ts'
import type { User } from '../users/user.ts'

/**
 * The two tokens of a login or a renewal, each a JWT (RFC 7519), and when each expires, in milliseconds since 1970. The
 * refresh token is good once: presented again, it ends the session (see `Options.refreshLeeway`).
 */
export interface TokenPair {
  readonly accessToken: string
  readonly refreshToken: string
  readonly accessTokenExpiresAt: Instant
  readonly refreshTokenExpiresAt: Instant
}

type IssueDeps = Pick<Deps, 'tokenKeys' | 'random' | 'options'>

/** What tokens tell of a user, and of a session. */
type ToldUser = Pick<User, 'id' | 'email' | 'employee' | 'department' | 'permissions'>
type ToldSession = Pick<Session, 'id' | 'authMethod' | 'deviceId' | 'refreshTokenId' | 'rotatedAt' | 'refreshExpiresAt'>

const signAccessToken = (deps: IssueDeps, user: ToldUser, session: ToldSession, now: Instant): SignedToken => {
  const content = {
    id: user.id,
    email: user.email,
    employee: user.employee,
    department: user.department,
    permissions: [...user.permissions],
    auth_method: session.authMethod,
    session_id: session.id,
    sub: String(user.id),
    jti: randomUuid(deps.random),
  }
  if (session.deviceId !== null) {
    const life = { issuedAt: now, expiresAt: now + deps.options.biometricAccessTokenLifetime }
    return signToken(deps, 'biometric_access', { ...content, device_id: session.deviceId, trust_level: 'high' }, life)
  }
  const life = { issuedAt: now, expiresAt: now + deps.options.accessTokenLifetime }
  return signToken(deps, 'access', { ...content, trust_level: 'standard' }, life)
}

/** The session's one good refresh token. Made of the row alone, so that making it again gives the same text. */
const signRefreshToken = (deps: IssueDeps, user: ToldUser, session: ToldSession): SignedToken => {
  const content = { id: user.id, email: user.email, session_id: session.id, sub: String(user.id), jti: session.refreshTokenId }
  const life = { issuedAt: session.rotatedAt, expiresAt: session.refreshExpiresAt }
  return session.deviceId === null
    ? signToken(deps, 'refresh', content, life)
    : signToken(deps, 'biometric_refresh', { ...content, device_id: session.deviceId }, life)
}

/** The token pair of a session as it stands: a fresh access token and the refresh token that the row names. */
export const issueTokens = async (deps: IssueDeps, user: ToldUser, session: ToldSession, now: Instant): Promise<TokenPair> => {
  const access = signAccessToken(deps, user, session, now)
  await inStep
  const refresh = signRefreshToken(deps, user, session)
  return {
    accessToken: access.token,
    refreshToken: refresh.token,
    accessTokenExpiresAt: access.expiresAt,
    refreshTokenExpiresAt: refresh.expiresAt,
  }
}
