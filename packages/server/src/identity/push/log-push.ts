import type { Logger, PushProvider } from '@countersign/core'

/** Tells the log instead of a device, where no push service is at hand. The push token is a secret and stays out of it. */
export const logPush = (logger: Logger): PushProvider => ({
  send: async ({ confirmationId, actionType, deviceId }) => logger.info('push', { confirmationId, actionType, deviceId }),
  health: async () => 'healthy',
})
