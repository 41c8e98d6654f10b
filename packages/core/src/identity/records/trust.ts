import type { TrustLevel } from '@countersign/contract'
import type { Instant } from '../../shared/clock.ts'

/** The trust of a device or a passkey. Without it, on probation, it logs in, but approves nothing and vouches for nothing. */
export interface Trust {
  /** The time from which it is trusted; `null` while nothing makes it trusted. Until a time in the future, it cools off. */
  readonly trustedAt: Instant | null
}

/** Returns whether a device or passkey is trusted at `now`. Trust begins in the millisecond of `trustedAt`. */
export const isTrusted = ({ trustedAt }: Trust, now: Instant): boolean => trustedAt !== null && trustedAt <= now

/** Returns the trust level of a session. Only the session of a trusted device has the level `high`. */
export const trustLevelOf = (session: Trust & { readonly deviceId: string | null }, now: Instant): TrustLevel =>
  session.deviceId !== null && isTrusted(session, now) ? 'high' : 'standard'
