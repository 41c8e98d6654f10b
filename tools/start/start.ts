import { errors } from '@countersign/core'
import { createLogger, demoUser, failureCode, StartupError, serve } from '@countersign/server'
import { seed } from '../demo/seed.ts'
import { readTrialConfig } from './trial-config.ts'
import { welcome } from './welcome.ts'

const explain = (error: unknown): readonly string[] => {
  if (error instanceof StartupError) return error.lines
  if (error instanceof errors.CountersignError) return [`${error.message} (${failureCode(error)})`]
  throw error
}

/** Migrates the database, creates the demo data and serves until a signal ends the server. Resolves with the exit code. */
export const start = async (): Promise<number> => {
  try {
    const config = readTrialConfig()
    // The password of the demo user is public, so production gets no demo user.
    const seeded = config.production ? undefined : await seed(config)
    const logger = createLogger(config.logLevel)
    const server = await serve(config, { logger, ...(seeded === undefined ? {} : { demoUser }) })
    const { host, parts, reference, approver } = config
    console.log(welcome({ url: server.url, host, parts, seeded, reference, approver: approver.on }))
    await server.closed
    return 0
  } catch (error) {
    for (const line of explain(error)) console.error(`error: ${line}`)
    return 1
  }
}
