import { existsSync } from 'node:fs'
import { allParts, type Clock } from '@countersign/core'
import { createLogger, type OpenCountersign, openCountersign, readConfig } from '@countersign/server'
import { writeMigratedFile } from '../../../storage-sqlite/src/testing/write-migrated-file.ts'
import type { Workplace } from './run-command.ts'

const SQLITE = 'sqlite:'

/** Opens and migrates the database of a workplace in the test process, as a server that runs with the command does. */
export const openCore = async (here: Pick<Workplace, 'env'>, machineClock?: Clock): Promise<OpenCountersign> => {
  const { COUNTERSIGN_DATABASE_URL: url = '' } = here.env
  const file = url.startsWith(SQLITE) ? url.slice(SQLITE.length) : undefined
  if (file !== undefined && !existsSync(file)) await writeMigratedFile(file)
  const opened = await openCountersign(readConfig(here.env), { logger: createLogger('silent'), parts: allParts, machineClock })
  await opened.storage.migrate()
  return opened
}
