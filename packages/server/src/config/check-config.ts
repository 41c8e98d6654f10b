import { StartupError } from '../startup-error.ts'
import type { Config } from './config.ts'
import { type Environment, readConfig } from './read-config.ts'

/** What is wrong with one variable. */
export interface ConfigProblem {
  readonly variable: string
  /** One line that names the variable and what it takes, and no values. */
  readonly line: string
}

/** A configuration to look at, even where it cannot be served with. */
export interface CheckedConfig {
  /** As the environment says, with defaults in place of what is refused. */
  readonly config: Config
  readonly problems: readonly ConfigProblem[]
}

/** Variables that only hold together: where one is refused, all of the group are left out. */
const groupOf = (variable: string): RegExp =>
  variable.startsWith('COUNTERSIGN_PUSH') ? /^COUNTERSIGN_PUSH/ : new RegExp(`^(?:${variable}|NODE_ENV)$`)

/** Reads the environment as `readConfig` does, and tells what is wrong with it instead of refusing it. For diagnosis. */
export const checkConfig = (env: Environment = process.env): CheckedConfig => {
  try {
    return { config: readConfig(env), problems: [] }
  } catch (error) {
    if (!(error instanceof StartupError)) throw error
    const problems = error.lines.map((line) => ({ variable: line.slice(0, line.indexOf(':')), line }))
    const refused = problems.map(({ variable }) => groupOf(variable))
    const rest = Object.entries(env).filter(([name]) => !refused.some((group) => group.test(name)))
    // Keys that production lacks are problems of theirs; the rest is still that of production.
    const config = { ...readConfig(Object.fromEntries(rest)), production: env.NODE_ENV === 'production' }
    return { config: Object.freeze(config), problems }
  }
}
