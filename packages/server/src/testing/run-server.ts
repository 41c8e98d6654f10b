import { readConfig } from '../config/read-config.ts'
import { createLogger } from '../logging/logger.ts'
import { serve } from '../serve.ts'
import { StartupError } from '../startup-error.ts'

/** A server as a process of its own, for tests that signal, kill or double it: see `startServerProcess`. */
try {
  const config = readConfig()
  await serve(config, { logger: createLogger(config.logLevel) })
} catch (error) {
  if (!(error instanceof StartupError)) throw error
  process.stderr.write(`${error.lines.join('\n')}\n`)
  process.exitCode = 1
}
