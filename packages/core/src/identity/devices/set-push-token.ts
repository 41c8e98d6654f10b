import type { Checked } from '@countersign/contract'
import type { Caller } from '../authentication/caller.ts'
import { type NotifyOfChangeDeps, notifyOfChange } from '../push/notify-of-change.ts'
import { holdSession } from '../sessions/hold-session.ts'
import type { Device } from './device.ts'
import { DeviceNotFound } from './errors.ts'
import { openPushToken, sealPushToken } from './push-token.ts'

/**
 * Sets the push token of a device of the caller, encrypted. `null` removes the push token. Where another token was set before,
 * that token and the user's devices are notified.
 *
 * @throws DeviceNotFound
 * @throws InvalidAccessToken where the session of the caller has ended
 */
export const setPushToken = async (
  deps: NotifyOfChangeDeps,
  input: Checked<'devices.setPushToken'> & { readonly caller: Pick<Caller, 'userId' | 'sessionId'> },
): Promise<void> => {
  const { storage, clock } = deps
  const { userId } = input.caller
  const sealed = input.pushToken === null ? null : sealPushToken(deps, input.deviceId, input.pushToken)
  const formerly = await storage.transaction(async (tx) => {
    await holdSession(tx, input.caller)
    const device = await tx.devices.lock(userId, input.deviceId)
    if (device !== undefined) await tx.devices.setPushToken(userId, device.id, sealed, clock.now())
    return device
  })
  if (formerly === undefined) throw new DeviceNotFound()
  if (isReplaced(deps, formerly, input.pushToken)) notifyOfChange(deps, { userId, change: 'push_token_changed', formerly })
}

/** Returns whether the device had a push token that differs from the new one. Many apps send their token at every start. */
const isReplaced = (deps: Pick<NotifyOfChangeDeps, 'encryptionKeys'>, formerly: Device, pushToken: string | null): boolean => {
  if (formerly.pushToken === null) return false
  try {
    return openPushToken(deps, formerly.id, formerly.pushToken) !== pushToken
  } catch {
    // The key of the former token is gone, so the two tokens cannot be compared.
    return true
  }
}
