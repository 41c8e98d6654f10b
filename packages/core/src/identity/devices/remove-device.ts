import type { Checked } from '@countersign/contract'
import type { IdentityDeps } from '../deps.ts'
import { type NotifyOfChangeDeps, notifyOfChange } from '../push/notify-of-change.ts'
import { type CallerOrAdmin, holdSession } from '../sessions/hold-session.ts'
import { notifyOfRemoved, undoEndedSessions } from '../sessions/undo-ended-sessions.ts'
import { DeviceNotFound } from './errors.ts'

/**
 * Removes a device of the caller, ends its sessions, and undoes their work (`undoEndedSessions`), in one transaction. Signatures of
 * the device are refused from then on. The fingerprint can be registered again. The removed device and the user's other devices
 * are notified.
 *
 * @throws DeviceNotFound, also for a device of another user
 * @throws InvalidAccessToken where the session of the caller has ended
 */
export const removeDevice = async (
  deps: NotifyOfChangeDeps & Pick<IdentityDeps, 'endings'>,
  input: Checked<'devices.remove'> & { readonly caller: CallerOrAdmin },
): Promise<void> => {
  const { storage, clock } = deps
  const { userId } = input.caller
  const now = clock.now()
  const { formerly, removed } = await storage.transaction(async (tx) => {
    await tx.trust.lock(userId)
    await holdSession(tx, input.caller)
    const device = await tx.devices.lock(userId, input.deviceId)
    if (device === undefined) throw new DeviceNotFound()
    await tx.devices.remove(userId, device.id, now)
    await tx.sessions.endAllOfDevice(device.id, 'device_removed', now)
    return { formerly: device, removed: await undoEndedSessions(deps, tx, userId, now, 'of_ended_sessions') }
  })
  notifyOfChange(deps, { userId, change: 'device_removed', formerly })
  notifyOfRemoved(deps, userId, removed)
}
