import type { Device } from '../devices/device.ts'
import { DeviceNotFound } from '../devices/errors.ts'
import { type NotifyOfChangeDeps, notifyOfChange } from '../push/notify-of-change.ts'
import { type WithTrust, withTrust } from './with-trust.ts'

/**
 * Makes a device of any user trusted, for admins, and cancels the cooling-off periods of the user. A trusted device stays as it
 * is. The user's devices are notified of a change. @throws DeviceNotFound
 */
export const trustDevice = async (deps: NotifyOfChangeDeps, input: { readonly id: string }): Promise<WithTrust<Device>> => {
  const { storage, clock } = deps
  const now = clock.now()
  const found = await storage.devices.byId(input.id)
  if (found === undefined) throw new DeviceNotFound()
  const { id, userId } = found
  if (await storage.trust.trustDevice(userId, id, now)) notifyOfChange(deps, { userId, change: 'trust_changed' })
  const device = await storage.devices.byId(id)
  if (device === undefined) throw new DeviceNotFound()
  return withTrust(device, now)
}
