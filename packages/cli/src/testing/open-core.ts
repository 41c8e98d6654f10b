import { allParts, type Clock } from '@countersign/core'
import { createLogger, type OpenCountersign, openCountersign, readConfig } from '@countersign/server'
import type { Workplace } from './run-command.ts'

/** Opens and migrates the database of a workplace in the test process, as a server that runs with the command does. */
export const openCore = async (here: Pick<Workplace, 'env'>, machineClock?: Clock): Promise<OpenCountersign> => {
  const opened = await openCountersign(readConfig(here.env), { logger: createLogger('silent'), parts: allParts, machineClock })
  await opened.storage.migrate()
  return opened
}
