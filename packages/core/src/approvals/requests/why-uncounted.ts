import { isWithin } from '../../identity/records/bound.ts'
import { isTrusted } from '../../identity/records/trust.ts'
import type { User } from '../../identity/records/user.ts'
import { needsPasskey, type VerificationOption } from '../../identity/trust/needs-passkey.ts'
import type { Instant } from '../../shared/clock.ts'
import type { TrustedSigner, TrustedWithin } from '../confirmations/signatures/signers.ts'
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

/** Returns why an approval does not count in a tenant; `undefined` if its device or passkey counts there and may approve so. */
export const whySignatureDoesNotCount = (
  options: VerificationOption,
  signer: TrustedSigner | undefined,
  tenant: string | null,
  now: Instant,
): UncountedReason | undefined =>
  whyKeyDoesNotCount(signer, tenant, now) ?? (needsPasskey(options, signer ?? {}) ? 'kind_of_key' : undefined)
