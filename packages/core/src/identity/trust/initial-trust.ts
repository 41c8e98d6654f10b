import { type Instant, type Milliseconds, timeBetween } from '../../shared/clock.ts'
import type { BaseDeps } from '../base-deps.ts'
import type { IdentityOptions } from '../options.ts'
import type { BoundToTenants } from '../records/bound.ts'
import { isTrusted, type Trust } from '../records/trust.ts'
import type { EnrolmentFacts, MailboxMark } from '../records/trust-store.ts'
import { logRefusal } from '../refusals.ts'
import type { IdentityStores } from '../stores.ts'

/**
 * Returns the time at which a mailbox mark ends by itself. The mark of a user who had a trusted device or passkey never does:
 * otherwise, whoever reads the mailbox could wait, log in with the password of the mailbox, and register a trusted phone.
 */
export const endOfMark = (mark: MailboxMark | null, lasts: Milliseconds): Instant => {
  if (mark === null) return Number.NEGATIVE_INFINITY
  return mark.hadSigner ? Number.POSITIVE_INFINITY : mark.since + lasts
}

/**
 * Returns whether a session is fresh: opened a short time ago by password without a mailbox mark, by a trusted device, or by a
 * trusted passkey with user verification. A refresh does not make it fresh again.
 *
 * A session that the host opened is fresh if the host verified the user in its own process, or if the user has nothing here to log
 * in with. The word of a service does not count: a thief of its token must not be able to add a phone.
 */
const isFresh = (
  { session, hasPassword, hasTrustedDevice, hasTrustedPasskey, mailboxMark }: Omit<EnrolmentFacts, 'hasCoolingOff'>,
  { freshSessionAge, mailboxMark: markLasts }: IdentityOptions,
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

/**
 * Returns the time from which a new device or passkey is trusted; `null` if it waits until it is vouched for.
 *
 * A user has at most one cooling-off period (a delay before a new device is trusted) at a time, because the end of one cancels all
 * others. Under a mailbox mark none ends, and a new device of a user who had a trusted one waits until it is vouched for.
 */
export const initialTrust = (options: IdentityOptions, facts: EnrolmentFacts, now: Instant): Instant | null => {
  const { enrolment, coolingOff, firstDeviceOfOlderSession } = options
  const markEnds = endOfMark(facts.mailboxMark, options.mailboxMark)
  const isMarked = markEnds > now
  const fresh = isFresh(facts, options, now)
  if (enrolment === 'open' && (fresh || !isMarked)) return now
  // If the user has an approver, it can vouch. Then no device or passkey must become trusted by waiting alone.
  const hasApprover = facts.hasTrustedDevice || (options.passkeyApprovals && facts.hasTrustedPasskey)
  if (fresh && (enrolment === 'fresh' || !hasApprover)) return now
  if (hasApprover || facts.hasCoolingOff) return null
  if (enrolment === 'vouched' && firstDeviceOfOlderSession === 'code_or_admin') return null
  if (isMarked && (facts.mailboxMark?.hadSigner || options.forgotEnrolment === 'code')) return null
  return Math.max(now + coolingOff, markEnds)
}

interface Registration {
  readonly userId: number
  readonly sessionId: string
  /** The hash of the enrolment code that was checked when the registration began. */
  readonly enrolmentCodeHash: string | undefined
  readonly now: Instant
}

/**
 * Decides from when a registered device or passkey is trusted, and its bound, in the transaction of the registration, which locks
 * the user. Spends the enrolment code, which ends the bound; a code that was used or replaced meanwhile is logged, without effect.
 * If the session is not live, the registration itself refuses it.
 */
export const decideTrust = async (
  tx: IdentityStores,
  { options, logger }: Pick<BaseDeps, 'options' | 'logger'>,
  { userId, sessionId, enrolmentCodeHash: hash, now }: Registration,
): Promise<Trust & BoundToTenants> => {
  const rememberedSince = now - options.trustedDeviceMemory
  const facts = await tx.trust.enrolmentFacts({ userId, sessionId, rememberedSince, now })
  if (facts === undefined) return { trustedAt: null, tenants: [] }
  if (hash !== undefined) {
    if (await tx.oneTimeCodes.spend({ hash, kind: 'enrolment', userId, now })) return { trustedAt: now, tenants: null }
    logRefusal(logger, 'one_time_code_refused', 'used', { userId })
  }
  return { trustedAt: initialTrust(options, facts, now), tenants: facts.session.tenants }
}
