import type { Checked } from '@countersign/contract'
import type { Caller } from '../authentication/caller.ts'
import { type NotifyOfChangeDeps, notifyOfChange } from '../push/notify-of-change.ts'
import { DeviceNotFound } from './errors.ts'

/**
 * Removes a device of the caller and ends its sessions, in one transaction. Signatures of the device are refused from then on.
 * The fingerprint can be registered again. The removed device and the user's other devices are notified.
 *
 * @throws DeviceNotFound, also for a device of another user
 */
export const removeDevice = async (
  deps: NotifyOfChangeDeps,
  input: Checked<'devices.remove'> & { readonly caller: Pick<Caller, 'userId'> },
): Promise<void> => {
  const { storage, clock } = deps
  const { userId } = input.caller
  const now = clock.now()
  const formerly = await storage.transaction(async (tx) => {
    const device = await tx.devices.lock(userId, input.deviceId)
    if (device === undefined) return undefined
    await tx.devices.remove(userId, device.id, now)
    await tx.sessions.endAllOfDevice(device.id, 'device_removed', now)
    return device
  })
  if (formerly === undefined) throw new DeviceNotFound()
  notifyOfChange(deps, { userId, change: 'device_removed', formerly })
}
