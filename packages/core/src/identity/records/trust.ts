import type { TrustLevel } from '@countersign/contract'
import type { Instant } from '../../shared/clock.ts'

/**
 * The trust of a device or a passkey. A device or passkey that is not trusted is on probation: it logs in, but it approves
 * nothing and vouches for nothing.
 */
export interface Trust {
  /**
   * The time from which the device or passkey is trusted; `null` while nothing makes it trusted.
   * While the time is in the future, the device or passkey is in its cooling-off period, and not trusted yet.
   */
  readonly trustedAt: Instant | null
}

/** Returns whether a device or passkey is trusted at `now`. Trust begins in the millisecond of `trustedAt`. */
export const isTrusted = ({ trustedAt }: Trust, now: Instant): boolean => trustedAt !== null && trustedAt <= now

/** Returns the trust level of a session. Only the session of a trusted device has the level `high`. */
export const trustLevelOf = (session: Trust & { readonly deviceId: string | null }, now: Instant): TrustLevel =>
  session.deviceId !== null && isTrusted(session, now) ? 'high' : 'standard'
