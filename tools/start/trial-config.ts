import { type Config, type Environment, readConfig } from '@countersign/server'

/** Reads the configuration for trials: development mode, and notifications that are logged by default. */
export const readTrialConfig = (env: Environment = process.env): Config =>
  readConfig({ ...env, NODE_ENV: env.NODE_ENV || 'development', COUNTERSIGN_PUSH: env.COUNTERSIGN_PUSH || 'log' })
