import { type Clock, type Logger, noPush, type PushMessage, type PushProvider, subscriptionOf } from '@countersign/core'
import { type PushConfig, type PushProviderName, pushProviderNames } from '../../config/push-config.ts'
import type { Monitor } from '../../shared/monitor.ts'
import { readApnsKey, readFcmKey } from './push-keys.ts'

const fieldsOf = (message: PushMessage) => {
  const { deviceId } = message
  switch (message.type) {
    case 'confirmation.requested':
      return { confirmationId: message.confirmationId, actionType: message.actionType, count: message.count, deviceId }
    case 'confirmation.settled':
      return { settled: message.confirmationId, deviceId }
    case 'push.test':
      return { noticeId: message.noticeId, deviceId }
    case 'account.changed':
      return { change: message.change, deviceId }
  }
}

/** Creates a push provider that only logs the messages. The push token is secret and is not logged. */
const logPush = (logger: Logger): PushProvider => ({
  send: async (message) => logger.info('push', fieldsOf(message)),
  health: async () => 'healthy',
})

/** The configured providers as one, whose retries can be stopped. */
interface ConfiguredPush {
  readonly provider: PushProvider
  /** Ends all retries, before the process exits. */
  readonly stop: () => void
}

interface CreatePushOptions {
  readonly logger: Logger
  readonly clock?: Clock
  /** Counts the deliveries of each provider. */
  readonly monitor?: Pick<Monitor, 'countingPush'> | undefined
}

/** One configured provider, and the push tokens that it can deliver to. */
interface Channel {
  readonly name: PushProviderName
  readonly push: PushProvider & { readonly stop?: () => void }
  readonly takes: (pushToken: string) => boolean
  /** The accepted form of push tokens, in the words of an error message. */
  readonly form: string
}

/** No configured provider can deliver to push tokens of this form. */
class NoProviderForToken extends Error {
  override readonly name = 'NoProviderForToken'
}

const everyToken = { takes: () => true, form: 'a push token' } satisfies Pick<Channel, 'takes' | 'form'>

/** Opens a provider. The code of a provider is loaded only if the provider is configured. */
const open = async (config: PushConfig, { logger, clock }: CreatePushOptions): Promise<Channel> => {
  const options = { logger, ...(clock !== undefined && { clock }) }
  switch (config.provider) {
    case 'webpush': {
      const { webPush } = await import('./web-push.ts')
      const takes = (pushToken: string) => subscriptionOf(pushToken) !== undefined
      return { name: config.provider, push: webPush({ ...config, ...options }), takes, form: 'a Web Push subscription as JSON' }
    }
    case 'apns': {
      const { apnsOrigins, apnsPush, isApnsToken } = await import('./apns.ts')
      const [key, origin] = [await readApnsKey(config.keyFile), apnsOrigins[config.environment]]
      const push = apnsPush({ ...config, key, origin, ...options })
      return { name: config.provider, push, takes: isApnsToken, form: 'a token of APNs (64 to 200 hexadecimal digits)' }
    }
    case 'fcm': {
      const { fcmPush, isFcmToken } = await import('./fcm.ts')
      const key = await readFcmKey(config.credentialsFile)
      return { name: config.provider, push: fcmPush({ ...key, ...options }), takes: isFcmToken, form: 'a token of FCM' }
    }
    case 'webhook': {
      const { webhookPush } = await import('./webhook-push.ts')
      return { name: config.provider, push: webhookPush({ ...config, ...options }), ...everyToken }
    }
    case 'log':
      return { name: config.provider, push: logPush(logger), ...everyToken }
  }
}

/**
 * Creates the configured providers as one. The form of the push token decides which provider sends: the webhook and the log get the
 * tokens that no other provider accepts. @throws StartupError if the key of a provider cannot be read
 */
export const createPush = async (configs: readonly PushConfig[], options: CreatePushOptions): Promise<ConfiguredPush> => {
  if (configs.length === 0) return { provider: noPush, stop: () => {} }
  const opened = await Promise.all(configs.map((config) => open(config, options)))
  const channels = opened
    .map((channel) => ({ ...channel, counted: options.monitor?.countingPush(channel.push, channel.name) ?? channel.push }))
    .sort((a, b) => pushProviderNames.indexOf(a.name) - pushProviderNames.indexOf(b.name))
  const channelFor = (pushToken: string) => channels.find(({ takes }) => takes(pushToken))
  return {
    provider: {
      send: async (message) => {
        const channel = channelFor(message.pushToken)
        if (channel === undefined) throw new NoProviderForToken('No configured push provider takes tokens of this form')
        await channel.counted.send(message)
      },
      providerOf: (pushToken) => channelFor(pushToken)?.name,
      faultOf: async (pushToken) => {
        const faults = await Promise.all(channels.map(async ({ push }) => push.faultOf?.(pushToken)))
        const fault = faults.find((one) => one !== undefined)
        if (fault !== undefined || channelFor(pushToken) !== undefined) return fault
        return `must be ${channels.map(({ form }) => form).join(', or ')}`
      },
      health: async () => {
        const all = await Promise.all(channels.map(({ push }) => push.health()))
        return all.includes('unhealthy') ? 'unhealthy' : 'healthy'
      },
    },
    stop: () => {
      for (const { push } of channels) push.stop?.()
    },
  }
}
