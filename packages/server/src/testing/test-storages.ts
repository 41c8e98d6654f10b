import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FullStorage } from '@countersign/core/storage'
import { createDatabaseDirectory } from '../../../../tools/testing/create-database-directory.ts'
import { createMigratedPostgresDatabase } from '../../../../tools/testing/create-postgres-database.ts'
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

/** The content of a migrated file. Copying it takes less time than running the migrations for each test. */
let migratedFile: Promise<Buffer> | undefined

const makeMigratedFile = async (): Promise<Buffer> => {
  const directory = createDatabaseDirectory('countersign-server-')
  const file = join(directory, 'test.db')
  await migrate(`sqlite:${file}`)
  const content = await readFile(file)
  await rm(directory, { recursive: true })
  return content
}

/** A migrated database in a real file. */
export const openSqlite = async (): Promise<TestStorage> => {
  const directory = createDatabaseDirectory('countersign-server-')
  const file = join(directory, 'test.db')
  migratedFile ??= makeMigratedFile()
  await writeFile(file, await migratedFile, { mode: 0o600 })
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
