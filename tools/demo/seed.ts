import { EmailTaken } from '@countersign/core'
import { type Config, createLogger, openCountersign } from '@countersign/server'
import { demoUser } from './credentials.ts'

/** What a person needs to try things out. Of what is there already, nothing is changed. Migrates the database first. */
export const seed = async (config: Config): Promise<void> => {
  const { countersign, storage, close } = await openCountersign(config, { logger: createLogger('silent') })
  try {
    await storage.migrate()
    await countersign.users.create({ ...demoUser, permissions: ['project.*'] })
  } catch (error) {
    if (!(error instanceof EmailTaken)) throw error
  } finally {
    await close()
  }
}
