import type { Instant } from '../../shared/clock.ts'
import type { IdentityOptions } from '../options.ts'
import type { IdentityStores } from '../stores.ts'
import { initialTrust } from './initial-trust.ts'

/**
 * Decides when a device or passkey that this session registers is trusted. Runs in the transaction of the registration, and
 * locks the user. `null` also where the session is not live: the registration itself refuses such a session.
 */
export const decideTrust = async (
  tx: Pick<IdentityStores, 'trust'>,
  options: IdentityOptions,
  { userId, sessionId, now }: { readonly userId: number; readonly sessionId: string; readonly now: Instant },
): Promise<Instant | null> => {
  const rememberedSince = now - options.trustedDeviceMemory
  const facts = await tx.trust.enrolmentFacts({ userId, sessionId, rememberedSince, now })
  return facts === undefined ? null : initialTrust(options, facts, now)
}
