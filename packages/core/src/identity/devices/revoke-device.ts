import type { IdentityDeps } from '../deps.ts'
import type { Device } from './device.ts'
import { DeviceNotFound } from './errors.ts'
import { removeDevice } from './remove-device.ts'

/** Removes any user's device by its id, for admins; the same as its user removing it. @throws DeviceNotFound */
export const revokeDevice = async (
  deps: Pick<IdentityDeps, 'storage' | 'clock'>,
  input: { readonly id: string },
): Promise<Device> => {
  const device = await deps.storage.devices.byId(input.id)
  if (device === undefined) throw new DeviceNotFound()
  await removeDevice(deps, { deviceId: device.id, caller: { userId: device.userId } })
  return device
}
