import type { MigratedStorage } from '@countersign/core/storage'
import pg from 'pg'
import { onTestFinished } from 'vitest'
import {
  createMigratedPostgresDatabase,
  createPostgresDatabase,
  type PostgresDatabase,
} from '../../../tools/testing/create-postgres-database.ts'
import { openPostgres } from '../src/index.ts'

/** Creates an empty database for the running test and returns its URL. */
export const newDatabase = async (): Promise<string> => {
  const { url, drop } = await createPostgresDatabase()
  onTestFinished(drop)
  return url
}

export const open = async (url: string, poolSize = 10): Promise<MigratedStorage> => {
  const storage = await openPostgres({ url, poolSize })
  onTestFinished(() => storage.close())
  return storage
}

/** Creates a database that has all tables. The caller drops it. */
export const createMigrated = (): Promise<PostgresDatabase> =>
  createMigratedPostgresDatabase(async (url) => {
    const storage = await openPostgres({ url })
    await storage.migrate()
    await storage.close()
  })

/** Opens a migrated storage, and returns it with the URL of its database. Creates a database if none is given. */
export const openMigrated = async (given?: string): Promise<{ readonly url: string; readonly storage: MigratedStorage }> => {
  if (given !== undefined) {
    const storage = await open(given)
    await storage.migrate()
    return { url: given, storage }
  }
  const { url, drop } = await createMigrated()
  onTestFinished(drop)
  return { url, storage: await open(url) }
}

/** Opens a direct connection, in addition to the storage. */
export const connect = async (url: string): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  // Lets statements of tests name the tables without their schema.
  await client.query('set search_path = countersign, public')
  onTestFinished(() => client.end())
  return client
}
