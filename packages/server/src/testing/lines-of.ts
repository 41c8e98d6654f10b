import { type Environment, readConfig } from '../config/read-config.ts'
import { StartupError } from '../startup-error.ts'

/** Returns the lines with which a configuration is refused; none for a valid configuration. */
export const linesOf = (env: Environment): readonly string[] => {
  try {
    readConfig(env)
    return []
  } catch (error) {
    if (error instanceof StartupError) return error.lines
    throw error
  }
}
