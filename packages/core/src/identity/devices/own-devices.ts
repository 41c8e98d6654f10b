import type { Checked } from '@countersign/contract'
import type { TimedStorage } from '../base-deps.ts'
import type { Device } from '../records/device.ts'
import type { BoundCaller, InSession } from '../sessions/bound-of-caller.ts'
import type { EndingDeps } from '../sessions/undo-ended-sessions.ts'
import { listSigners, removeSigner } from '../signers/manage-signers.ts'
import type { WithTrust } from '../trust/with-trust.ts'
import { DeviceNotFound } from './errors.ts'

/**
 * The caller's devices, oldest first, with whether each is trusted now; of a bound caller, those with its bound. @throws Invalid
 * @example const devices = await countersign.devices.list({ caller })
 */
export async function listDevices(
  deps: TimedStorage,
  { caller }: { readonly caller: BoundCaller },
): Promise<readonly WithTrust<Device>[]> {
  return listSigners(deps, caller, (userId) => deps.storage.devices.allOfUser(userId))
}

/**
 * Removes a device of the caller, ends its sessions, and undoes their work, in one transaction. The fingerprint can be registered
 * again. The removed device and the user's other devices are notified.
 * @throws DeviceNotFound, also for a device of another user, or that a bound caller does not reach
 * @throws InvalidAccessToken if the session of the caller has ended
 * @example await countersign.devices.remove({ caller, deviceId })
 */
export async function removeDevice(deps: EndingDeps, { caller, deviceId }: Checked<'devices.remove'> & InSession): Promise<void> {
  await removeSigner(deps, caller, { kind: 'device', id: deviceId, NotFound: DeviceNotFound })
}
