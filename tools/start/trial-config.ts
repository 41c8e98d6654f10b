import { type Config, type Environment, readConfig } from '@countersign/server'

/**
 * The configuration of a service to try things out on: devices are notified in the log, where nothing else is asked for.
 * An empty variable asks for nothing.
 */
export const readTrialConfig = (env: Environment = process.env): Config =>
  readConfig({ ...env, COUNTERSIGN_PUSH: env.COUNTERSIGN_PUSH || 'log' })
