import type { IdentityDeps } from '../deps.ts'
import type { Device } from '../devices/device.ts'
import { openPushToken } from '../devices/push-token.ts'
import { isTrusted } from '../trust/trust.ts'
import type { PushMessage } from './push-provider.ts'

export type PushDeps = Pick<IdentityDeps, 'storage' | 'clock' | 'encryptionKeys' | 'push' | 'logger'>

/** A device that can get push messages where it has a push token. */
export type PushRecipient = Pick<Device, 'id' | 'pushToken'>

/** A message without its recipient. */
type Unaddressed<M> = M extends PushMessage ? Omit<M, 'pushToken' | 'deviceId'> : never

interface Delivery {
  readonly userId: number
  /** Returns the content of the message for the next recipient. */
  readonly message: () => Unaddressed<PushMessage>
  /** The fields of the log line of a failed delivery. */
  readonly logFields: Readonly<Record<string, string>>
  /** Recipients besides the user's devices. */
  readonly alsoTo?: readonly PushRecipient[]
  /** The id of a device that gets no message. */
  readonly except?: string | undefined
}

/**
 * Sends a push message to every trusted device of the user that has a push token. A device on probation gets no message, because
 * a thief may have registered it. Never rejects: a failure is logged, and the other devices still get their messages.
 */
export const sendToDevices = async (
  deps: PushDeps,
  { userId, message, logFields, alsoTo = [], except }: Delivery,
): Promise<void> => {
  const { storage, clock, push, logger } = deps
  const failed = (deviceId: string | undefined) => (error: unknown) => {
    const reason = error instanceof Error ? error.name : 'unknown'
    logger.warn('push_failed', { ...logFields, deviceId, reason })
  }
  const now = clock.now()
  const devices = await storage.devices.allOfUser(userId).catch((error: unknown) => {
    failed(undefined)(error)
    return []
  })
  const recipients: readonly PushRecipient[] = devices.filter((device) => device.id !== except && isTrusted(device, now))
  await Promise.all(
    [...recipients, ...alsoTo].map(async ({ id: deviceId, pushToken: sealed }) => {
      if (sealed === null) return
      try {
        await push.send({ ...message(), pushToken: openPushToken(deps, deviceId, sealed), deviceId })
      } catch (error) {
        failed(deviceId)(error)
      }
    }),
  )
}
