import type { SealedField } from '../../shared/crypto/field-encryption.ts'
import type { BaseDeps } from '../base-deps.ts'
import { type Bound, boundText } from '../records/bound.ts'
import type { Device } from '../records/device.ts'
import { isTrusted } from '../records/trust.ts'
import { noPush, type PushMessage, type PushProvider, PushTokenGone } from './push-provider.ts'
import { openPushToken, type PushAddress } from './push-token.ts'

export type PushDeps = Pick<BaseDeps, 'storage' | 'clock' | 'encryptionKeys' | 'logger'> & { readonly push: PushProvider }

/** A device that can get push messages if it has a push token. */
export type PushRecipient = Pick<Device, 'id' | 'pushToken'>

/** A message without its recipient. */
type Unaddressed<M> = M extends PushMessage ? Omit<M, 'pushToken' | 'deviceId' | 'language'> : never

interface Delivery {
  readonly userId: number
  /** Returns whether a device may get the message, by its bound. */
  readonly isFor: (tenants: Bound) => boolean
  /** Returns the content of the message for the next recipient. */
  readonly message: () => Unaddressed<PushMessage>
  /** The fields of the log line of a failed delivery. */
  readonly logFields: Readonly<Record<string, string>>
  /** Recipients besides the user's devices. */
  readonly alsoTo?: readonly PushRecipient[]
  /** The id of a device that gets no message. */
  readonly except?: string | undefined
  /** Is called with each delivery, and with the error of a failed one. */
  readonly onAnswer?: (recipient: { readonly deviceId: string; readonly pushToken: string }, error?: unknown) => void
}

/** The push service forgot the push token, and the app has set the token again since, so the token stays. */
class PushTokenSetSince extends Error {
  override readonly name = 'PushTokenSetSince'
}

/** Returns the bounds of the user's trusted devices with a push token, each once; none without a provider. */
export const boundsToNotify = async ({ storage, clock, push }: PushDeps, userId: number): Promise<readonly Bound[]> => {
  if (push === noPush) return []
  const now = clock.now()
  const devices = await storage.devices.allOfUser(userId)
  const reached = devices.filter((device) => device.pushToken !== null && isTrusted(device, now))
  return [...new Map(reached.map(({ tenants }) => [boundText(tenants), tenants])).values()]
}

/**
 * Sends a push message to every trusted device of the user that has a push token and may get it, and to each token once. A device
 * on probation gets no message, because a thief may have registered it. A token that the push service no longer knows is removed,
 * unless the app has set it since. Never rejects: a failure is logged, and the other devices still get their messages.
 *
 * @returns the number of messages that were delivered
 */
export const sendToDevices = async (
  deps: PushDeps,
  { userId, isFor, message, logFields, alsoTo = [], except, onAnswer }: Delivery,
): Promise<number> => {
  const { storage, clock, push, logger } = deps
  const failed = (deviceId: string | undefined, error: unknown) => {
    const reason = error instanceof Error ? error.name : 'unknown'
    logger.warn('push_failed', { ...logFields, deviceId, reason })
  }
  const now = clock.now()
  const devices = await storage.devices.allOfUser(userId).catch((error: unknown) => {
    failed(undefined, error)
    return []
  })
  const recipients: readonly PushRecipient[] = devices.filter(
    (device) => device.id !== except && isFor(device.tenants) && isTrusted(device, now),
  )
  /** The newest device of each push token. */
  const byToken = new Map<string, Omit<PushAddress, 'pushToken'> & { readonly deviceId: string; readonly sealed: SealedField }>()
  for (const { id: deviceId, pushToken: sealed } of [...recipients, ...alsoTo]) {
    try {
      if (sealed === null) continue
      const { pushToken, ...address } = openPushToken(deps, deviceId, sealed)
      byToken.set(pushToken, { deviceId, sealed, ...address })
    } catch (error) {
      failed(deviceId, error)
    }
  }
  const delivered = await Promise.all(
    [...byToken].map(async ([pushToken, { sealed, setAt, ...recipient }]) => {
      const { deviceId } = recipient
      try {
        await push.send({ ...message(), pushToken, ...recipient })
        onAnswer?.({ deviceId, pushToken })
        return 1
      } catch (answer) {
        const error = answer instanceof PushTokenGone && setAt > (answer.since ?? setAt) ? new PushTokenSetSince() : answer
        onAnswer?.({ deviceId, pushToken }, error)
        if (error instanceof PushTokenGone) await forget(deps, deviceId, sealed).catch((reason) => failed(deviceId, reason))
        else failed(deviceId, error)
        return 0
      }
    }),
  )
  return delivered.reduce<number>((sum, one) => sum + one, 0)
}

/** Removes a push token that is gone, unless the device has set another one meanwhile. */
const forget = async ({ storage, clock, logger }: PushDeps, deviceId: string, sealed: SealedField): Promise<void> => {
  if (await storage.devices.forgetPushToken(deviceId, sealed, clock.now())) logger.info('push_token_removed', { deviceId })
}
