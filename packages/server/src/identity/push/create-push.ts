import { type Logger, noPush, type PushProvider } from '@countersign/core'
import type { PushConfig } from '../../config/config.ts'
import { logPush } from './log-push.ts'

/** A push provider, and how it is told to try no further. */
export interface StoppablePush {
  readonly provider: PushProvider
  readonly stop: () => void
}

/** The push provider that the operator chose. What signs and sends webhooks is loaded where it was chosen. */
export const createPush = async (config: PushConfig, logger: Logger): Promise<StoppablePush> => {
  if (config.provider === 'webhook') {
    const { webhookPush } = await import('./webhook-push.ts')
    const provider = webhookPush({ ...config, logger })
    return { provider, stop: provider.stop }
  }
  return { provider: config.provider === 'log' ? logPush(logger) : noPush, stop: () => {} }
}
