import type { Checked } from '@countersign/contract'
import { Invalid } from '../../shared/errors.ts'
import type { Caller } from '../authentication/caller.ts'
import type { IdentityDeps } from '../deps.ts'
import { type NotifyOfChangeDeps, notifyOfChange } from '../push/notify-of-change.ts'
import { isSamePushToken, openPushToken, sealPushToken } from '../push/push-token.ts'
import { reaches } from '../records/bound.ts'
import type { Device } from '../records/device.ts'
import { boundOfCaller } from '../sessions/bound-of-caller.ts'
import { holdSession } from '../sessions/hold-session.ts'
import { DeviceNotFound } from './errors.ts'

/**
 * Sets the push token of a device of the caller, encrypted. `null` removes the push token. Any other device with the same token
 * loses it, also a device of another user: the token is the address of one phone. A device of the same user with another bound
 * keeps it. If another token was set before, that token and the user's devices are notified. The devices of users who lost the
 * token are notified too, and so is the phone that has it: this may be the only phone of such a user.
 * @throws DeviceNotFound, also for a device that a bound caller does not reach
 * @throws Invalid if the push provider refuses the token
 * @throws InvalidAccessToken if the session of the caller has ended
 * @example await countersign.devices.setPushToken({ caller, deviceId, pushToken, language: 'de' })
 */
export async function setPushToken(
  deps: NotifyOfChangeDeps & Pick<IdentityDeps, 'digestKey'>,
  input: Checked<'devices.setPushToken'> & { readonly caller: Pick<Caller, 'userId' | 'sessionId' | 'tenants'> },
): Promise<void> {
  const { storage, clock } = deps
  const { userId } = input.caller
  const now = clock.now()
  const tenants = await boundOfCaller(deps, input.caller)
  const { pushToken, language } = input
  const fault = pushToken === null ? undefined : await deps.push.faultOf?.(pushToken)
  if (fault !== undefined) throw new Invalid({ pushToken: fault })
  const stored =
    pushToken === null
      ? null
      : await sealPushToken(deps, input.deviceId, { pushToken, setAt: now, ...(language !== undefined && { language }) })
  const done = await storage.transaction(async (tx) => {
    await holdSession(tx, input.caller)
    const formerly = await tx.devices.lock(userId, input.deviceId)
    if (formerly === undefined || !reaches(tenants, formerly.tenants)) return undefined
    const losers = stored === null ? [] : await tx.devices.takePushToken(stored.digest, formerly.id, now)
    await tx.devices.setPushToken(userId, formerly.id, stored, now)
    return { formerly, losers }
  })
  if (done === undefined) throw new DeviceNotFound()
  const { formerly, losers } = done
  const replaced = isReplaced(deps, formerly, pushToken)
  if (replaced) notifyOfChange(deps, { userId, change: 'push_token_changed', formerly })
  for (const [loser, devices] of Map.groupBy(losers, (device) => device.userId)) {
    const lost = loser === userId ? undefined : devices.find((device) => device.tenants === null)
    const notice = { userId: loser, change: 'push_token_changed', ...(lost && { formerly: lost }) } as const
    if (!replaced || loser !== userId) notifyOfChange(deps, notice)
  }
}

/** Returns whether the device had a push token that differs from the new one. Many apps send their token at every start. */
const isReplaced = (deps: Pick<NotifyOfChangeDeps, 'encryptionKeys'>, formerly: Device, pushToken: string | null): boolean => {
  if (formerly.pushToken === null) return false
  try {
    return pushToken === null || !isSamePushToken(openPushToken(deps, formerly.id, formerly.pushToken).pushToken, pushToken)
  } catch {
    // The key of the former token is gone, so the two tokens cannot be compared.
    return true
  }
}
