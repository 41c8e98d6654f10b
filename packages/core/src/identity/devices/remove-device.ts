import type { Checked } from '@countersign/contract'
import type { Caller } from '../authentication/caller.ts'
import { notifyOfChange } from '../push/notify-of-change.ts'
import { reaches } from '../records/bound.ts'
import { boundOfCaller } from '../sessions/bound-of-caller.ts'
import type { SessionOrAdmin } from '../sessions/hold-session.ts'
import { type EndingDeps, endAndUndo } from '../sessions/undo-ended-sessions.ts'
import { DeviceNotFound } from './errors.ts'

/**
 * Removes a device of the caller, ends its sessions, and undoes their work (`undoEndedSessions`), in one transaction. Signatures of
 * the device are refused from then on. The fingerprint can be registered again. The removed device and the user's other devices are
 * notified.
 * @throws DeviceNotFound, also for a device of another user, and for a device that a bound caller does not reach
 * @throws InvalidAccessToken if the session of the caller has ended
 * @example await countersign.devices.remove({ caller, deviceId })
 */
export function removeDevice(
  deps: EndingDeps,
  { caller, deviceId }: Checked<'devices.remove'> & { readonly caller: Pick<Caller, 'userId' | 'sessionId' | 'tenants'> },
): Promise<void> {
  return removeDeviceFor(deps, caller, deviceId)
}

/** Does the same for a caller or an administrator. */
export const removeDeviceFor = async (deps: EndingDeps, caller: SessionOrAdmin, deviceId: string): Promise<void> => {
  const { userId } = caller
  const tenants = await boundOfCaller(deps, caller)
  await endAndUndo(
    deps,
    caller,
    async (tx, now) => {
      const device = await tx.devices.lock(userId, deviceId)
      if (device === undefined || !reaches(tenants, device.tenants)) throw new DeviceNotFound()
      await tx.devices.remove(userId, device.id, now)
      await tx.sessions.endAll({ userId, deviceId: device.id }, 'device_removed', now)
      return device
    },
    (formerly) => notifyOfChange(deps, { userId, change: 'device_removed', formerly }),
  )
}
