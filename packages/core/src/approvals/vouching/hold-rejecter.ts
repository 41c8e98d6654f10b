import { InsufficientTrustLevel } from '../../identity/authentication/caller.ts'
import { InvalidAccessToken } from '../../identity/authentication/errors.ts'
import { isTrusted } from '../../identity/records/trust.ts'
import { holdSession, type SessionOrAdmin } from '../../identity/sessions/hold-session.ts'
import type { IdentityStores } from '../../identity/stores.ts'
import type { Instant } from '../../shared/clock.ts'

/**
 * Locks the rows of a trusted device that rejects: the trust of its user, the session of the caller, and the device. They are
 * locked in the order of an approval, so that the two never wait for each other.
 *
 * @throws InvalidAccessToken if the session has ended or the device was removed
 * @throws InsufficientTrustLevel if the device is no longer trusted
 */
export const holdRejecter = async (
  tx: Pick<IdentityStores, 'trust' | 'sessions' | 'devices'>,
  caller: SessionOrAdmin,
  deviceId: string,
  now: Instant,
): Promise<void> => {
  await tx.trust.lock(caller.userId)
  await holdSession(tx, caller)
  const device = await tx.devices.lock(caller.userId, deviceId)
  if (device === undefined) throw new InvalidAccessToken()
  if (!isTrusted(device, now)) throw new InsufficientTrustLevel()
}
