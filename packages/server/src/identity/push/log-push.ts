import type { Logger, PushMessage, PushProvider } from '@countersign/core'

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
export const logPush = (logger: Logger): PushProvider => ({
  send: async (message) => logger.info('push', fieldsOf(message)),
  health: async () => 'healthy',
})
