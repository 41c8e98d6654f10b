import type { Checked } from '@countersign/contract'
import type { Caller } from '../authentication/caller.ts'
import type { IdentityDeps } from '../deps.ts'
import { DeviceNotFound } from './errors.ts'

/**
 * Removes a device of the caller and ends its sessions, in one transaction. Signatures of the device are refused from then on.
 * The fingerprint can be registered again.
 *
 * @throws DeviceNotFound, also for a device of another user
 */
export const removeDevice = async (
  { storage, clock }: Pick<IdentityDeps, 'storage' | 'clock'>,
  input: Checked<'devices.remove'> & { readonly caller: Pick<Caller, 'userId'> },
): Promise<void> => {
  const now = clock.now()
  const removed = await storage.transaction(async (tx) => {
    const found = await tx.devices.remove(input.caller.userId, input.deviceId, now)
    if (found) await tx.sessions.endAllOfDevice(input.deviceId, 'device_removed', now)
    return found
  })
  if (!removed) throw new DeviceNotFound()
}
