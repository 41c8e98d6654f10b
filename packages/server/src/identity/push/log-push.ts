import type { Logger, PushProvider } from '@countersign/core'

/** Creates a push provider that only logs the messages. The push token is secret and is not logged. */
export const logPush = (logger: Logger): PushProvider => ({
  send: async ({ confirmationId, actionType, deviceId }) => logger.info('push', { confirmationId, actionType, deviceId }),
  health: async () => 'healthy',
})
