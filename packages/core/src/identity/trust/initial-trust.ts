import type { Instant } from '../../shared/clock.ts'
import type { IdentityOptions } from '../options.ts'
import { isFresh, type RegisteringSession } from './fresh-session.ts'

/** The facts that decide when a new device or passkey of a user is trusted. */
export interface EnrolmentFacts {
  readonly session: RegisteringSession
  /** True if the user has a trusted device, or had one lately (see `IdentityOptions.trustedDeviceMemory`). */
  readonly hasTrustedDevice: boolean
  /** True if another device or passkey of the user is in its cooling-off period. */
  readonly hasCoolingOff: boolean
}

type EnrolmentOptions = Pick<IdentityOptions, 'enrolment' | 'freshSessionAge' | 'coolingOff' | 'firstDeviceOfOlderSession'>

/**
 * Returns the time from which a new device or passkey is trusted; `null` if it waits until it is vouched for.
 *
 * A user has at most one cooling-off period (a delay before a new device is trusted) at a time, because the end of one cancels all
 * others. So a device that is added meanwhile gets none, and waits until it is vouched for.
 */
export const initialTrust = (options: EnrolmentOptions, facts: EnrolmentFacts, now: Instant): Instant | null => {
  const { enrolment, coolingOff, firstDeviceOfOlderSession } = options
  if (enrolment === 'open') return now
  const fresh = isFresh(facts.session, options, now)
  if (fresh && (enrolment === 'fresh' || !facts.hasTrustedDevice)) return now
  if (facts.hasTrustedDevice || facts.hasCoolingOff) return null
  if (enrolment === 'vouched' && firstDeviceOfOlderSession === 'code_or_admin') return null
  return now + coolingOff
}
