import type { Device } from '../records/device.ts'
import type { EndingDeps } from '../sessions/undo-ended-sessions.ts'
import { DeviceNotFound } from './errors.ts'
import { removeDeviceFor } from './remove-device.ts'

/**
 * Removes a device of any user by its id, for admins. Has the same effect as a removal by the user. @throws DeviceNotFound
 * @example await countersign.devices.revoke({ id: device.id })
 */
export async function revokeDevice(deps: EndingDeps, input: { readonly id: string }): Promise<Device> {
  const device = await deps.storage.devices.byId(input.id)
  if (device === undefined) throw new DeviceNotFound()
  await removeDeviceFor(deps, { userId: device.userId }, device.id)
  return device
}
