import { type Clock, type Logger, noPush, type PushProvider } from '@countersign/core'
import type { PushConfig } from '../../config/config.ts'
import { logPush } from './log-push.ts'

/** A push provider that can stop its retries. */
export interface StoppablePush {
  readonly provider: PushProvider
  /** Ends all retries, before the process exits. */
  readonly stop: () => void
}

/** Creates the configured push provider. The code of webhooks is loaded only if webhooks are configured. */
export const createPush = async (config: PushConfig, logger: Logger, clock?: Clock): Promise<StoppablePush> => {
  if (config.provider === 'webhook') {
    const { webhookPush } = await import('./webhook-push.ts')
    const provider = webhookPush({ ...config, logger, ...(clock !== undefined && { clock }) })
    return { provider, stop: provider.stop }
  }
  return { provider: config.provider === 'log' ? logPush(logger) : noPush, stop: () => {} }
}
