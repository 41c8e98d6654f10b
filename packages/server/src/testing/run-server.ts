import { createLogger, readConfig, StartupError, serve } from '@countersign/server'

/** A server in its own process, for tests that signal, kill or duplicate it: see `startServerProcess`. */
try {
  const config = readConfig()
  await serve(config, { logger: createLogger(config.logLevel) })
} catch (error) {
  if (!(error instanceof StartupError)) throw error
  process.stderr.write(`${error.lines.join('\n')}\n`)
  process.exitCode = 1
}
