import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { MigratedStorage } from '@countersign/core/storage'
import { openSqlite } from '@countersign/storage-sqlite'
import Sqlite from 'better-sqlite3'
import { onTestFinished } from 'vitest'
import { newDatabase, open } from '../open-migrated.ts'

/** A SQLite database of the running test's own: its storage, and its file past the storage. */
export interface SqliteFile {
  readonly storage: MigratedStorage
  readonly file: Sqlite.Database
}

/** @param migrated Whether it has its schema; else it is empty. */
export const newSqlite = async (migrated = true): Promise<SqliteFile> => {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-move-'))
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

/** An empty PostgreSQL database of the running test's own. */
export const newTarget = async (): Promise<{ readonly url: string; readonly target: MigratedStorage }> => {
  const url = await newDatabase()
  return { url, target: await open(url) }
}

/** Puts so many lines of imports that were broken off into the source: rows of a table that nothing refers to. */
export const addHits = ({ file }: SqliteFile, count: number): void => {
  file
    .prepare(
      `with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ?)
       insert into countersign_rate_limit_hits (key, slot, at) select 'key-' || (n % 7), n, 1000 * n from numbers`,
    )
    .run(count)
}
