import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { FullStorage } from '@countersign/core/storage'
import { createDatabaseDirectory } from '../../../../tools/testing/create-database-directory.ts'
import { createMigratedPostgresDatabase } from '../../../../tools/testing/create-postgres-database.ts'
import { writeMigratedFile } from '../../../storage-sqlite/src/testing/write-migrated-file.ts'
import { openStorage } from '../open-storage.ts'

export interface TestStorage {
  readonly storage: FullStorage
  /** Closes the storage and removes its files. */
  remove(): Promise<void>
}

const migrate = async (url: string): Promise<void> => {
  const storage = await openStorage(url)
  await storage.migrate()
  await storage.close()
}

/** A migrated database in a real file. */
export const openSqlite = async (): Promise<TestStorage> => {
  const directory = createDatabaseDirectory('countersign-server-')
  const file = join(directory, 'test.db')
  await writeMigratedFile(file)
  const storage = await openStorage(`sqlite:${file}`)
  const remove = async () => {
    await storage.close()
    await rm(directory, { recursive: true })
  }
  return { storage, remove }
}

/** A migrated database on the PostgreSQL server of the test run. */
export const openPostgresStorage = async (): Promise<TestStorage> => {
  const database = await createMigratedPostgresDatabase(migrate)
  const storage = await openStorage(database.url)
  const remove = async () => {
    await storage.close()
    await database.drop()
  }
  return { storage, remove }
}

/** The storages for suites of the whole app: every database that Countersign supports. */
export const testStorages = [
  { name: 'SQLite', open: openSqlite },
  { name: 'PostgreSQL', open: openPostgresStorage },
] as const
