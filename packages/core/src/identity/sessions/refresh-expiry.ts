import type { Instant } from '../../shared/clock.ts'
import type { IdentityOptions } from '../options.ts'
import type { Session } from '../records/session.ts'

/**
 * Returns the expiry of a refresh token that is issued at `now`.
 *
 * With the default options, a standard token lasts three days, and at most until thirty days after the login. With
 * `rememberMe`, a standard token lasts until thirty days after the login. A biometric token lasts until thirty days after the
 * login. With `rememberMe`, each rotation renews the thirty days of a biometric token.
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
