import { NothingToChange } from '../../shared/errors.ts'
import { type NotifyOfChangeDeps, notifyOfChange } from '../push/notify-of-change.ts'
import type { Device } from '../records/device.ts'
import { type WithTrust, withTrust } from '../trust/with-trust.ts'
import { DeviceNotFound } from './errors.ts'

/**
 * Makes a device of any user trusted, for admins, and cancels the cooling-off periods of the user. A bound device is bound no
 * longer. The user's devices are
 * notified of the change.
 * @throws DeviceNotFound, NothingToChange if the device is trusted and not bound already
 * @example await countersign.devices.trust({ id: device.id })
 */
export async function trustDevice(deps: NotifyOfChangeDeps, input: { readonly id: string }): Promise<WithTrust<Device>> {
  const { storage, clock } = deps
  const now = clock.now()
  const found = await storage.devices.byId(input.id)
  if (found === undefined) throw new DeviceNotFound()
  const { id, userId } = found
  const isChanged = await storage.trust.makeTrusted({ userId, kind: 'device', id }, now, 'ends')
  const device = await storage.devices.byId(id)
  if (device === undefined) throw new DeviceNotFound()
  if (!isChanged) throw new NothingToChange('The device is trusted already')
  notifyOfChange(deps, { userId, change: 'trust_changed' })
  return withTrust(device, now)
}
