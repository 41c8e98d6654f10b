import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { MigratedStorage } from '@countersign/core/storage'
import { openSqlite } from '@countersign/storage-sqlite'
import Sqlite from 'better-sqlite3'
import { onTestFinished } from 'vitest'
import { createDatabaseDirectory } from '../../../../tools/testing/create-database-directory.ts'
import { newDatabase, open } from '../open-migrated.ts'

/** A SQLite database for the running test: its storage, and a direct connection to its file. */
export interface SqliteFile {
  readonly storage: MigratedStorage
  readonly file: Sqlite.Database
}

/** @param migrated False for an empty file without tables. */
export const newSqlite = async (migrated = true): Promise<SqliteFile> => {
  const directory = createDatabaseDirectory('countersign-move-')
  const path = join(directory, 'test.db')
  const storage = await openSqlite({ path })
  if (migrated) await storage.migrate()
  const file = new Sqlite(path)
  onTestFinished(async () => {
    file.close()
    await storage.close()
    rmSync(directory, { recursive: true })
  })
  return { storage, file }
}

/** Creates an empty PostgreSQL database for the running test. */
export const newTarget = async (): Promise<{ readonly url: string; readonly target: MigratedStorage }> => {
  const url = await newDatabase()
  return { url, target: await open(url) }
}

/** Adds this many rate limit rows to the source. No other table refers to them. */
export const addLimits = ({ file }: SqliteFile, count: number): void => {
  file
    .prepare(
      `with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ?)
       insert into countersign_rate_limit_states (key, full_at, allowed_at, version, idle_at) select 'key-' || n, 1000 * n, '[]', n, n from numbers`,
    )
    .run(count)
}
