import { existsSync } from 'node:fs'
import type { MigratedStorage } from '@countersign/core/storage'
import { onTestFinished } from 'vitest'
import { openSqlite } from '../src/index.ts'
import { writeMigratedFile } from '../src/testing/write-migrated-file.ts'
import { temporaryPath } from './temporary-file.ts'

/** The default prefix of the tables. */
export const TABLE_PREFIX = 'countersign_'

/** Opens a migrated storage on this file, or on a new one. It is closed when the running test ends. */
export const openMigrated = async (path: string = temporaryPath()): Promise<MigratedStorage> => {
  if (!existsSync(path)) await writeMigratedFile(path)
  const storage = await openSqlite({ path })
  onTestFinished(() => storage.close())
  await storage.migrate()
  return storage
}
