import type { Instant } from '../../shared/clock.ts'
import type { IdentityOptions } from '../options.ts'
import type { EnrolmentFacts } from '../records/trust-store.ts'
import { isFresh } from './fresh-session.ts'

type EnrolmentOptions = Pick<
  IdentityOptions,
  'enrolment' | 'freshSessionAge' | 'coolingOff' | 'firstDeviceOfOlderSession' | 'passkeyApprovals'
>

/**
 * Returns the time from which a new device or passkey is trusted; `null` if it waits until it is vouched for.
 *
 * A user has at most one cooling-off period (a delay before a new device is trusted) at a time, because the end of one cancels all
 * others. So a device that is added meanwhile gets none, and waits until it is vouched for.
 */
export const initialTrust = (options: EnrolmentOptions, facts: EnrolmentFacts, now: Instant): Instant | null => {
  const { enrolment, coolingOff, firstDeviceOfOlderSession } = options
  if (enrolment === 'open') return now
  const fresh = isFresh(facts, options, now)
  // If the user has an approver, it can vouch. Then no device or passkey must become trusted by waiting alone.
  const hasApprover = facts.hasTrustedDevice || (options.passkeyApprovals && facts.hasTrustedPasskey)
  if (fresh && (enrolment === 'fresh' || !hasApprover)) return now
  if (hasApprover || facts.hasCoolingOff) return null
  if (enrolment === 'vouched' && firstDeviceOfOlderSession === 'code_or_admin') return null
  return now + coolingOff
}
