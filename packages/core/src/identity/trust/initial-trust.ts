import type { Instant } from '../../shared/clock.ts'
import type { IdentityOptions } from '../options.ts'
import type { EnrolmentFacts } from '../records/trust-store.ts'
import { isFresh } from './fresh-session.ts'
import { endOfMark } from './mailbox-mark.ts'

type EnrolmentOptions = Pick<
  IdentityOptions,
  | 'enrolment'
  | 'freshSessionAge'
  | 'coolingOff'
  | 'firstDeviceOfOlderSession'
  | 'passkeyApprovals'
  | 'mailboxMark'
  | 'forgotEnrolment'
>

/**
 * Returns the time from which a new device or passkey is trusted; `null` if it waits until it is vouched for.
 *
 * A user has at most one cooling-off period (a delay before a new device is trusted) at a time, because the end of one cancels all
 * others. So a device that is added meanwhile gets none, and waits until it is vouched for.
 *
 * While the account has a mailbox mark, no cooling-off ends, and a device of a user who had a trusted device or passkey waits until
 * it is vouched for.
 */
export const initialTrust = (options: EnrolmentOptions, facts: EnrolmentFacts, now: Instant): Instant | null => {
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
