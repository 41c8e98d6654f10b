import { type Config, nodeEnvironments } from './config.ts'

/** Returns whether only this machine can reach a server on this host. In doubt, the answer is false. */
export const isLoopbackHost = (host: string): boolean => /^(?:127(?:\.\d{1,3}){3}|localhost|::1)$/i.test(host)

const nodeEnvironmentRefusal = ({ nodeEnv, host }: Pick<Config, 'nodeEnv' | 'host'>): readonly string[] => {
  if ((nodeEnv !== 'unset' && nodeEnv !== 'unknown') || isLoopbackHost(host)) return []
  const present = nodeEnv === 'unset' ? 'is not set' : 'has an unknown value'
  return [
    `NODE_ENV: ${present}; must be one of ${nodeEnvironments.join(', ')} for a server that listens on another address than loopback`,
  ]
}

const receiptsRefusal = ({ production, parts, receipts, receiptKeys }: Config): readonly string[] =>
  production && parts?.includes('approvals') !== false && receipts && receiptKeys === undefined
    ? [
        'COUNTERSIGN_RECEIPT_KEYS: must be set in production; `countersign keys generate --receipt` makes one. COUNTERSIGN_RECEIPTS=off starts without receipts',
      ]
    : []

/** Returns a line for each reason why no server starts with a readable configuration on `host`. Other commands run with it. */
export const serveRefusals = (config: Config, host = config.host): readonly string[] => [
  ...nodeEnvironmentRefusal({ nodeEnv: config.nodeEnv, host }),
  ...receiptsRefusal(config),
]
