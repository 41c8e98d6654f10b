import { type Logger, noPush, type PushProvider } from '@countersign/core'
import type { PushConfig } from '../config/config.ts'
import { logPush } from './log-push.ts'
import { webhookPush } from './webhook-push.ts'

/** A push provider, and how it is told to try no further. */
export interface StoppablePush {
  readonly provider: PushProvider
  readonly stop: () => void
}

/** The push provider that the operator chose. */
export const createPush = (config: PushConfig, logger: Logger): StoppablePush => {
  if (config.provider === 'webhook') {
    const provider = webhookPush({ ...config, logger })
    return { provider, stop: provider.stop }
  }
  return { provider: config.provider === 'log' ? logPush(logger) : noPush, stop: () => {} }
}
