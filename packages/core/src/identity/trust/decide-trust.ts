import type { Instant } from '../../shared/clock.ts'
import { spendEnrolmentCode } from '../one-time-codes/enrolment-code.ts'
import type { IdentityOptions } from '../options.ts'
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
 * Decides when a device or passkey that this session registers is trusted. Runs in the transaction of the registration, and
 * locks the user. Spends the enrolment code of the registration. A code that was used or replaced in the meantime has no
 * effect. `null` also if the session is not live: the registration itself refuses such a session.
 */
export const decideTrust = async (
  tx: Pick<IdentityStores, 'trust' | 'oneTimeCodes'>,
  options: IdentityOptions,
  { userId, sessionId, enrolmentCodeHash: hash, now }: Registration,
): Promise<Instant | null> => {
  const rememberedSince = now - options.trustedDeviceMemory
  const facts = await tx.trust.enrolmentFacts({ userId, sessionId, rememberedSince, now })
  if (facts === undefined) return null
  if (hash !== undefined && (await spendEnrolmentCode(tx, { userId, hash }, now))) return now
  return initialTrust(options, facts, now)
}
