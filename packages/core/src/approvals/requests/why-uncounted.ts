import { isWithin } from '../../identity/records/bound.ts'
import { isTrusted } from '../../identity/records/trust.ts'
import type { User } from '../../identity/records/user.ts'
import type { Instant } from '../../shared/clock.ts'
import type { TrustedWithin } from '../confirmations/signatures/signers.ts'
import type { UncountedReason } from './errors.ts'

/** Returns why no approval of a user counts; `undefined` if the user may log in. */
export const whyUserDoesNotCount = (user: User | undefined): UncountedReason | undefined => {
  if (user === undefined) return 'user_unknown'
  if (user.disabledAt !== null) return 'user_disabled'
  return user.lockedAt === null ? undefined : 'user_locked'
}

/** Returns why an approval by a device or passkey does not count in a tenant; `undefined` if it is trusted and may act there. */
export const whyKeyDoesNotCount = (
  trust: TrustedWithin | undefined,
  tenant: string | null,
  now: Instant,
): UncountedReason | undefined => {
  if (trust === undefined) return 'key_removed'
  if (!isTrusted(trust, now)) return 'key_not_trusted'
  return isWithin(trust.tenants, tenant) ? undefined : 'key_of_another_tenant'
}
