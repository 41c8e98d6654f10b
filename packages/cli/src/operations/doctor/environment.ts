import { type Config, isLoopbackHost } from '@countersign/server'
import { type Finding, failed, ok, warning } from './check.ts'

const isPlainHttp = (origin: string): boolean => {
  const { protocol, hostname } = new URL(origin)
  return protocol === 'http:' && hostname !== 'localhost' && !isLoopbackHost(hostname)
}

/** Says whether `NODE_ENV` names the environment. Without production, the playground and local secrets are on. */
export const examineEnvironment = ({ nodeEnv }: Pick<Config, 'nodeEnv'>): Finding => {
  if (nodeEnv === 'unset')
    return warning('NODE_ENV is not set, so this counts as development; set production where people use it')
  if (nodeEnv === 'unknown')
    return failed('NODE_ENV has an unknown value, so this counts as development; it takes production, development or test')
  return ok(nodeEnv)
}

/** Warns of origins on which browsers offer no passkeys; `undefined` without such an origin. */
export const examineOrigins = (config: Pick<Config, 'relyingParty' | 'corsOrigins' | 'approverOrigins'>) => {
  const { corsOrigins, approverOrigins } = config
  const plain = [...new Set([...(config.relyingParty.origins ?? []), ...corsOrigins, ...approverOrigins])].filter(
    (origin) => origin.startsWith('http:') && isPlainHttp(origin),
  )
  if (plain.length === 0) return undefined
  return warning(`without TLS, others can read tokens and browsers offer no passkeys: ${plain.join(', ')}`)
}
