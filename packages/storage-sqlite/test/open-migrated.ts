import type { MigratedStorage } from '@countersign/core/storage'
import { onTestFinished } from 'vitest'
import { openSqlite } from '../src/index.ts'
import { temporaryPath } from './temporary-file.ts'

/** The prefix of the tables, by default. */
export const TABLE_PREFIX = 'countersign_'

/** A storage on this file (a new one where none is given), ready for use; closed when the running test has finished. */
export const openMigrated = async (path: string = temporaryPath()): Promise<MigratedStorage> => {
  const storage = await openSqlite({ path })
  onTestFinished(() => storage.close())
  await storage.migrate()
  return storage
}
