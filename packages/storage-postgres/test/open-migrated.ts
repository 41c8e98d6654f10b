import type { MigratedStorage } from '@countersign/core/storage'
import pg from 'pg'
import { onTestFinished } from 'vitest'
import { createPostgresDatabase } from '../../../tools/testing/create-postgres-database.ts'
import { openPostgres } from '../src/index.ts'

/** An empty database of the running test's own. */
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

/** A storage that is ready for use, with the URL of its database (a new one where none is given). */
export const openMigrated = async (database?: string): Promise<{ readonly url: string; readonly storage: MigratedStorage }> => {
  const url = database ?? (await newDatabase())
  const storage = await open(url)
  await storage.migrate()
  return { url, storage }
}

/** A connection of the test's own, past the storage. */
export const connect = async (url: string): Promise<pg.Client> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  // Statements of tests name the tables without their schema.
  await client.query('set search_path = countersign, public')
  onTestFinished(() => client.end())
  return client
}
