import type { Checked } from '@countersign/contract'
import { Invalid } from '../../shared/errors.ts'
import { randomUuid } from '../../shared/random.ts'
import type { Caller } from '../authentication/caller.ts'
import type { IdentityDeps } from '../deps.ts'
import { notifyOfChange } from '../push/notify-of-change.ts'
import { isSamePushToken, openPushToken, sealPushToken } from '../push/push-token.ts'
import { type PushRecipient, tableOf } from '../push/send-to-devices.ts'
import { reaches } from '../records/bound.ts'
import { boundOfCaller, holdSession, type InSession } from '../sessions/bound-of-caller.ts'
import { lockRecipient } from '../signers/manage-signers.ts'
import { DeviceNotFound } from './errors.ts'

/**
 * Sets the push token of a device of the caller; without a device id, of the passkey that opened the session. `null` removes it.
 * Any other device or passkey with the same token loses it, because the token is the address of one phone; a device of the same
 * user with another bound keeps it. A replaced token, the user's devices, and those who lost the token are notified.
 * @throws DeviceNotFound, also for a device that a bound caller does not reach
 * @throws Invalid if the push provider refuses the token, or no passkey opened the session of a call without a device
 * @throws InvalidAccessToken if the session of the caller has ended
 * @example await countersign.devices.setPushToken({ caller, deviceId, pushToken, language: 'de' })
 */
export async function setPushToken(deps: IdentityDeps, input: Checked<'devices.setPushToken'> & InSession): Promise<void> {
  const { storage, clock } = deps
  const { caller, pushToken, language } = input
  const { userId } = caller
  const now = clock.now()
  const tenants = await boundOfCaller(deps, caller)
  const fault = pushToken === null ? undefined : await deps.push.faultOf?.(pushToken)
  if (fault !== undefined) throw new Invalid({ pushToken: fault })
  const passkeyId = input.deviceId === undefined ? await passkeyOfSession(deps, caller) : undefined
  const id = input.deviceId ?? randomUuid(deps.random)
  const signer = passkeyId === undefined ? ({ kind: 'device', id } as const) : ({ kind: 'passkey', id: passkeyId } as const)
  const address = { pushToken: pushToken ?? '', setAt: now, ...(language !== undefined && { language }) }
  const stored = pushToken === null ? null : await sealPushToken(deps, id, address, tableOf({ passkeyId }))
  const { formerly, losers } = await storage.transaction(async (tx) => {
    await holdSession(tx, caller)
    const formerly = await lockRecipient(tx, { userId, ...signer })
    if (formerly === undefined || !reaches(tenants, formerly.tenants)) throw new DeviceNotFound()
    const keeper = passkeyId === undefined ? undefined : { userId, passkeyId }
    const devices = stored === null ? [] : await tx.devices.takePushToken(stored.digest, id, now)
    const passkeys = stored === null ? [] : await tx.passkeys.takePushToken(stored.digest, keeper)
    if (passkeyId === undefined) await tx.devices.setPushToken(userId, id, stored, now)
    else await tx.passkeys.setPushToken(userId, passkeyId, stored && { id, ...stored })
    return { formerly, losers: [...devices, ...passkeys] }
  })
  const replaced = isReplaced(deps, formerly, pushToken)
  if (replaced) notifyOfChange(deps, { userId, change: 'push_token_changed', formerly })
  for (const [loser, devices] of Map.groupBy(losers, (one) => one.userId)) {
    const lost = loser === userId ? undefined : devices.find((one) => one.tenants === null)
    const notice = { userId: loser, change: 'push_token_changed', ...(lost && { formerly: lost }) } as const
    if (!replaced || loser !== userId) notifyOfChange(deps, notice)
  }
}

/** Returns the passkey that opened the session. @throws Invalid if none did */
const passkeyOfSession = async ({ storage }: IdentityDeps, { sessionId }: Pick<Caller, 'sessionId'>) => {
  const passkeyId = (await storage.sessions.status(sessionId))?.passkeyId
  if (passkeyId == null) throw new Invalid({ deviceId: 'must be a UUID' })
  return passkeyId
}

/** Returns whether there was a push token that differs from the new one. Many apps send their token at every start. */
const isReplaced = (deps: IdentityDeps, formerly: PushRecipient, pushToken: string | null): boolean => {
  const { id, pushToken: sealed } = formerly
  if (sealed === null) return false
  try {
    return pushToken === null || !isSamePushToken(openPushToken(deps, id, sealed, tableOf(formerly)).pushToken, pushToken)
  } catch {
    // The key of the former token is gone, so the two tokens cannot be compared.
    return true
  }
}
