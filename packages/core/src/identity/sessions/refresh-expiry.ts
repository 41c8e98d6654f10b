import type { Instant } from '../../shared/clock.ts'
import type { IdentityOptions } from '../options.ts'
import type { Session } from './session.ts'

/**
 * When a refresh token issued at `now` expires.
 *
 * Standard: three days with each rotation, never past thirty days from the login; `rememberMe` has the thirty days from
 * the start. Biometric: thirty days from the login; `rememberMe` renews them with each rotation. (The defaults.)
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
