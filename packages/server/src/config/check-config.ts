import { approvalsKeptFor, defaultOptions } from '@countersign/core'
import { StartupError } from '../startup-error.ts'
import type { Config } from './config.ts'
import { type Environment, readConfig, readNodeEnv } from './read-config.ts'
import { serveRefusals } from './serve-refusals.ts'
import { checkOf } from './settings.ts'

export interface ConfigProblem {
  readonly variable: string
  /** The row of doctor that reports the problem. */
  readonly check: string
  /** One line with the name of the variable and its permitted values. Never contains the value. */
  readonly line: string
}

const toProblem = (line: string): ConfigProblem => {
  const variable = line.slice(0, line.indexOf(':'))
  return { variable, check: checkOf(variable), line }
}

/** A configuration for diagnosis. A server does not start with a configuration that has problems. */
export interface CheckedConfig {
  /** The configuration, with defaults in place of refused values. */
  readonly config: Config
  readonly problems: readonly ConfigProblem[]
}

const pushVariables = /^COUNTERSIGN_(?:PUSH|VAPID|WEBPUSH|FCM|APNS)/

const smtpVariables = /^COUNTERSIGN_SMTP/

/** Matches the variables that are ignored together with a refused variable. */
const groupOf = (variable: string): RegExp =>
  [pushVariables, smtpVariables].find((group) => group.test(variable)) ?? new RegExp(`^(?:${variable}|NODE_ENV)$`)

/** Reads what can be read: the configuration, with defaults in place of refused values, and the refused values. */
const readLeniently = (env: Environment): CheckedConfig => {
  try {
    return { config: readConfig(env), problems: [] }
  } catch (error) {
    if (!(error instanceof StartupError)) throw error
    const problems = error.lines.map(toProblem)
    const refused = problems.map(({ variable }) => groupOf(variable))
    const rest = Object.entries(env).filter(([name]) => !refused.some((group) => group.test(name)))
    // `NODE_ENV` may be among the ignored variables, for example if production lacks keys.
    const { production, nodeEnv } = readNodeEnv(env)
    return { config: Object.freeze({ ...readConfig(Object.fromEntries(rest)), production, nodeEnv }), problems }
  }
}

/** Reads the environment like `readConfig`, but returns everything that `serve` refuses, instead of throwing. */
export const checkConfig = (env: Environment = process.env): CheckedConfig => {
  const { config, problems } = readLeniently(env)
  const further = serveRefusals(config)
    .map(toProblem)
    .filter(({ variable }) => !problems.some((problem) => problem.variable === variable))
  return { config, problems: [...problems, ...further] }
}

const DAY = 86_400_000

/** Says how many days approvals are kept, if that is longer than the setting asks for; `undefined` otherwise. */
export const keptLonger = (config: Config): string | undefined => {
  const kept = approvalsKeptFor({ ...defaultOptions, ...config })
  if (kept === 'forever' || kept === config.approvalRetention) return undefined
  return `approvals are kept for at least ${Math.ceil(kept / DAY)} days`
}
