import { type Instant, timeBetween } from '../../shared/clock.ts'
import type { IdentityOptions } from '../options.ts'
import { isTrusted } from '../records/trust.ts'
import type { EnrolmentFacts } from '../records/trust-store.ts'
import { endOfMark } from './mailbox-mark.ts'

/**
 * Returns whether a session is fresh: opened a short time ago by password, by a trusted device, or by a trusted passkey with user
 * verification. Refreshing does not make a session fresh again. The session of a device or passkey on probation is never fresh, and
 * neither is a session by password while the account has a mailbox mark.
 *
 * A session that the host opened is fresh for a short time after the host has signed the user in, if the host verified the user in
 * its own process, or if the user has nothing here to log in with. What a service says by its token makes no session fresh:
 * whoever steals the token must not be able to add a phone to a trusted one.
 */
export const isFresh = (
  { session, hasPassword, hasTrustedDevice, hasTrustedPasskey, mailboxMark }: Omit<EnrolmentFacts, 'hasCoolingOff'>,
  { freshSessionAge, mailboxMark: markLasts }: Pick<IdentityOptions, 'freshSessionAge' | 'mailboxMark'>,
  now: Instant,
): boolean => {
  if (timeBetween(session.host?.signedInAt ?? session.createdAt, now) > freshSessionAge) return false
  switch (session.authMethod) {
    case 'password':
      return endOfMark(mailboxMark, markLasts) <= now
    case 'webauthn':
      return session.userVerified && isTrusted(session, now)
    case 'biometric':
      return isTrusted(session, now)
    case 'host':
      return (session.userVerified && session.host?.openedBy === null) || !(hasPassword || hasTrustedDevice || hasTrustedPasskey)
  }
}
