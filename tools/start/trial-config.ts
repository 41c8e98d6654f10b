import { type Config, type Environment, readConfig } from '@countersign/server'

/**
 * Reads the configuration of a server to try things out. Notifications of devices are logged by default, and the server runs in
 * development mode. An empty variable counts as not set.
 */
export const readTrialConfig = (env: Environment = process.env): Config =>
  readConfig({ ...env, NODE_ENV: env.NODE_ENV || 'development', COUNTERSIGN_PUSH: env.COUNTERSIGN_PUSH || 'log' })
