import type { Instant } from '../../shared/clock.ts'
import type { BaseDeps } from '../base-deps.ts'
import { spendEnrolmentCode } from '../one-time-codes/enrolment-code.ts'
import type { BoundToTenants } from '../records/bound.ts'
import type { Trust } from '../records/trust.ts'
import { logRefusal } from '../refusals.ts'
import type { IdentityStores } from '../stores.ts'
import { initialTrust } from './initial-trust.ts'

interface Registration {
  readonly userId: number
  readonly sessionId: string
  /** The hash of the enrolment code that was checked when the registration began. */
  readonly enrolmentCodeHash: string | undefined
  readonly now: Instant
}

/**
 * Decides when a device or passkey that this session registers is trusted, and to which tenants it is bound. Runs in the
 * transaction of the registration, and locks the user. Spends the enrolment code of the registration. A code that was used or
 * replaced in the meantime has no effect, and is logged. If the session is not live, the registration itself refuses it. A code of
 * an administrator ends the bound.
 */
export const decideTrust = async (
  tx: Pick<IdentityStores, 'trust' | 'oneTimeCodes'>,
  { options, logger }: Pick<BaseDeps, 'options' | 'logger'>,
  { userId, sessionId, enrolmentCodeHash: hash, now }: Registration,
): Promise<Trust & BoundToTenants> => {
  const rememberedSince = now - options.trustedDeviceMemory
  const facts = await tx.trust.enrolmentFacts({ userId, sessionId, rememberedSince, now })
  if (facts === undefined) return { trustedAt: null, tenants: [] }
  if (hash !== undefined) {
    if (await spendEnrolmentCode(tx, { userId, hash }, now)) return { trustedAt: now, tenants: null }
    logRefusal(logger, 'one_time_code_refused', 'used', { userId })
  }
  return { trustedAt: initialTrust(options, facts, now), tenants: facts.session.tenants }
}
