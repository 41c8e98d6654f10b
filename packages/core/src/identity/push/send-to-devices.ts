import type { SealedField } from '../../shared/crypto/field-encryption.ts'
import type { BaseDeps } from '../base-deps.ts'
import { type Bound, type BoundToTenants, boundText } from '../records/bound.ts'
import type { Device } from '../records/device.ts'
import { isTrusted, type Trust } from '../records/trust.ts'
import { noPush, type PushMessage, type PushProvider, PushTokenGone } from './push-provider.ts'
import { openPushToken, type PushAddress, type PushTokenTable } from './push-token.ts'

export type PushDeps = Pick<BaseDeps, 'storage' | 'clock' | 'encryptionKeys' | 'logger'> & { readonly push: PushProvider }

/** A device that can get push messages if it has a push token, or the push token of a passkey. */
export interface PushRecipient extends Pick<Device, 'id' | 'pushToken'> {
  readonly passkeyId?: string | undefined
}

export const tableOf = ({ passkeyId }: Pick<PushRecipient, 'passkeyId'>): PushTokenTable =>
  passkeyId === undefined ? 'devices' : 'passkey_push_tokens'

interface Subscriber extends PushRecipient, Trust, BoundToTenants {
  readonly name: string
}

/** Returns the devices of a user, and the push tokens of the passkeys. */
export const subscribersOf = async ({ storage }: Pick<PushDeps, 'storage'>, userId: number): Promise<readonly Subscriber[]> => {
  const devices = await storage.devices.allOfUser(userId)
  return [...devices.map((device) => ({ ...device, name: device.deviceName })), ...(await storage.passkeys.pushTokensOf(userId))]
}

/** A message without its recipient. */
type Unaddressed<M> = M extends PushMessage ? Omit<M, 'pushToken' | 'deviceId' | 'language'> : never

/** A push token as it is stored, and where. */
interface Stored {
  readonly sealed: SealedField
  readonly table: PushTokenTable
}

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

/** Returns the bounds of the user's trusted devices and passkeys with a push token, each once; none without a provider. */
export const boundsToNotify = async (deps: PushDeps, userId: number): Promise<readonly Bound[]> => {
  if (deps.push === noPush) return []
  const now = deps.clock.now()
  const reached = (await subscribersOf(deps, userId)).filter((device) => device.pushToken !== null && isTrusted(device, now))
  return [...new Map(reached.map(({ tenants }) => [boundText(tenants), tenants])).values()]
}

/**
 * Sends a message once to each push token of the user's trusted devices and passkeys; none on probation, because a thief may have
 * registered it. A token that the push service forgot is removed, unless the app has set it since. Never rejects: a failure is
 * logged. Returns the number of delivered messages.
 */
export const sendToDevices = async (
  deps: PushDeps,
  { userId, isFor, message, logFields, alsoTo = [], except, onAnswer }: Delivery,
): Promise<number> => {
  const { clock, push, logger } = deps
  const failed = (deviceId: string | undefined, error: unknown) => {
    const reason = error instanceof Error ? error.name : 'unknown'
    logger.warn('push_failed', { ...logFields, deviceId, reason })
  }
  const now = clock.now()
  const subscribers = await subscribersOf(deps, userId).catch((error: unknown) => {
    failed(undefined, error)
    return []
  })
  const trusted = subscribers.filter((one) => one.id !== except && isFor(one.tenants) && isTrusted(one, now))
  const recipients: readonly PushRecipient[] = [...trusted, ...alsoTo]
  /** The newest device or passkey of each push token. */
  const byToken = new Map<string, Omit<PushAddress, 'pushToken'> & Stored & { readonly deviceId: string }>()
  for (const recipient of recipients) {
    const { id: deviceId, pushToken: sealed } = recipient
    try {
      if (sealed === null) continue
      const table = tableOf(recipient)
      const { pushToken, ...address } = openPushToken(deps, deviceId, sealed, table)
      byToken.set(pushToken, { deviceId, sealed, table, ...address })
    } catch (error) {
      failed(deviceId, error)
    }
  }
  const delivered = await Promise.all(
    [...byToken].map(async ([pushToken, { sealed, table, setAt, ...recipient }]) => {
      const { deviceId } = recipient
      try {
        await push.send({ ...message(), pushToken, ...recipient })
        onAnswer?.({ deviceId, pushToken })
        return 1
      } catch (answer) {
        const error = answer instanceof PushTokenGone && setAt > (answer.since ?? setAt) ? new PushTokenSetSince() : answer
        onAnswer?.({ deviceId, pushToken }, error)
        if (error instanceof PushTokenGone)
          await forget(deps, deviceId, { sealed, table }).catch((reason) => failed(deviceId, reason))
        else failed(deviceId, error)
        return 0
      }
    }),
  )
  return delivered.reduce<number>((sum, one) => sum + one, 0)
}

/** Removes a push token that is gone, unless the device or passkey has set another one meanwhile. */
const forget = async ({ storage, clock, logger }: PushDeps, deviceId: string, { sealed, table }: Stored): Promise<void> => {
  const isRemoved =
    table === 'devices'
      ? await storage.devices.forgetPushToken(deviceId, sealed, clock.now())
      : await storage.passkeys.forgetPushToken(deviceId)
  if (isRemoved) logger.info('push_token_removed', { deviceId })
}
