import { type Instant, timeBetween } from '../../shared/clock.ts'
import type { IdentityOptions } from '../options.ts'
import { isTrusted } from '../records/trust.ts'
import type { RegisteringSession } from '../records/trust-store.ts'

/**
 * Returns whether a session is fresh: opened a short time ago by password, by a trusted device, or by a trusted passkey with
 * user verification. Refreshing does not make a session fresh again. The session of a device or passkey on probation is never
 * fresh.
 */
export const isFresh = (
  session: RegisteringSession,
  { freshSessionAge }: Pick<IdentityOptions, 'freshSessionAge'>,
  now: Instant,
): boolean => {
  if (timeBetween(session.createdAt, now) > freshSessionAge) return false
  switch (session.authMethod) {
    case 'password':
      return true
    case 'webauthn':
      return session.userVerified && isTrusted(session, now)
    case 'biometric':
      return isTrusted(session, now)
  }
}
