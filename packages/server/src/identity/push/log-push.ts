import type { Logger, PushMessage, PushProvider } from '@countersign/core'

const fieldsOf = (message: PushMessage) =>
  message.type === 'confirmation.requested'
    ? {
        confirmationId: message.confirmationId,
        actionType: message.actionType,
        count: message.count,
        deviceId: message.deviceId,
      }
    : { change: message.change, deviceId: message.deviceId }

/** Creates a push provider that only logs the messages. The push token is secret and is not logged. */
export const logPush = (logger: Logger): PushProvider => ({
  send: async (message) => logger.info('push', fieldsOf(message)),
  health: async () => 'healthy',
})
