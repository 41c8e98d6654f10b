import type { Checked } from '@countersign/contract'
import type { Caller } from '../authentication/caller.ts'
import type { IdentityDeps } from '../deps.ts'
import { type NotifyOfChangeDeps, notifyOfChange } from '../push/notify-of-change.ts'
import { holdSession, type SessionOrAdmin } from '../sessions/hold-session.ts'
import { notifyOfUndone, undoEndedSessions } from '../sessions/undo-ended-sessions.ts'
import { DeviceNotFound } from './errors.ts'

type RemoveDeps = NotifyOfChangeDeps & Pick<IdentityDeps, 'endings'>

/**
 * Removes a device of the caller, ends its sessions, and undoes their work (`undoEndedSessions`), in one transaction. Signatures of
 * the device are refused from then on. The fingerprint can be registered again. The removed device and the user's other devices
 * are notified.
 *
 * @throws DeviceNotFound, also for a device of another user
 * @throws InvalidAccessToken if the session of the caller has ended
 */
export function removeDevice(
  deps: RemoveDeps,
  { caller, deviceId }: Checked<'devices.remove'> & { readonly caller: Pick<Caller, 'userId' | 'sessionId'> },
): Promise<void> {
  return removeDeviceFor(deps, caller, deviceId)
}

/** Does the same for a caller or an administrator. */
export const removeDeviceFor = async (deps: RemoveDeps, caller: SessionOrAdmin, deviceId: string): Promise<void> => {
  const { storage, clock } = deps
  const { userId } = caller
  const now = clock.now()
  const { formerly, removed } = await storage.transaction(async (tx) => {
    await tx.trust.lock(userId)
    await holdSession(tx, caller)
    const device = await tx.devices.lock(userId, deviceId)
    if (device === undefined) throw new DeviceNotFound()
    await tx.devices.remove(userId, device.id, now)
    await tx.sessions.endAllOfDevice(device.id, 'device_removed', now)
    return { formerly: device, removed: await undoEndedSessions(deps, tx, userId, now, 'of_ended_sessions') }
  })
  notifyOfChange(deps, { userId, change: 'device_removed', formerly })
  notifyOfUndone(deps, userId, removed)
}
