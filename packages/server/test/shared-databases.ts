import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createDatabaseDirectory } from '../../../tools/testing/create-database-directory.ts'
import { createPostgresDatabase } from '../../../tools/testing/create-postgres-database.ts'
import { openStorage } from '../src/open-storage.ts'

const createFile = async () => {
  const directory = createDatabaseDirectory('countersign-shared-')
  return { url: `sqlite:${join(directory, 'test.db')}`, drop: () => rm(directory, { recursive: true }) }
}

/** Opens two storages on a new database, which share no more than the storages of two processes do. */
const openTwo = async (create: typeof createFile) => {
  const { url, drop } = await create()
  const [one, other] = [await openStorage(url), await openStorage(url)]
  await one.migrate()
  const close = async (): Promise<void> => {
    for (const storage of [one, other]) await storage.close()
    await drop()
  }
  return { one, other, close }
}

export const sharedDatabases = [
  { name: 'SQLite', open: () => openTwo(createFile) },
  { name: 'PostgreSQL', open: () => openTwo(createPostgresDatabase) },
] as const
