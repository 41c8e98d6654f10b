import { setImmediate } from 'node:timers/promises'
import type { FullStorage, MigratedStorage } from '@countersign/core/storage'
import { type ChangeFeed, createStorage, type Engine, storedParts, tablesOf } from '@countersign/storage-sql'
import Sqlite from 'better-sqlite3'
import { changeFeed } from '../change-feed.ts'
import type { Connection } from '../connect.ts'
import { openKysely } from '../dialect.ts'
import { dialectFeatures } from '../dialect-features.ts'
import { sqliteEngine } from '../engine.ts'

const PREFIX = 'countersign_'
/** Bytes. A small page makes the database a third as large to copy: most of its tables are empty. */
const PAGE_SIZE = 1024

let migrated: Promise<Buffer> | undefined

/**
 * Makes a SQLite database in memory for one test, with all tables. The SQL is the same as with
 * `openSqlite`. The first call of a process
 * runs the migrations, and every other call copies their result.
 */
export const createTestStorage = async (): Promise<FullStorage> => {
  migrated ??= serializeMigrated()
  return storageOn(new Sqlite(await migrated))
}

const serializeMigrated = async (): Promise<Buffer> => {
  const connection = new Sqlite(':memory:')
  connection.pragma(`page_size = ${String(PAGE_SIZE)}`)
  await storageOn(connection).migrate()
  const copy = connection.serialize()
  connection.close()
  return copy
}

const storageOn = (connection: Connection): MigratedStorage => {
  connection.pragma('foreign_keys = on')
  const { poll } = changeFeed(connection, PREFIX, 'select total_changes()')
  // The connection would show what an open transaction has written.
  const feed: ChangeFeed = { poll: () => (connection.inTransaction ? 'unsure' : poll()) }
  return createStorage({ engine: engineOn(connection), features: dialectFeatures(PREFIX), parts: storedParts(), feed })
}

/** The engine of a database in memory, which only this connection sees. */
const engineOn = (connection: Connection): Engine => {
  const engine = sqliteEngine(':memory:', { writer: connection, reader: connection }, PREFIX, tablesOf(storedParts()))
  return {
    ...engine,
    read: async (query) => {
      // The connection would show what an open transaction has written. Every transaction ends within its event-loop tick.
      while (connection.inTransaction) await setImmediate()
      return engine.read(query)
    },
    snapshot: (work) => engine.transaction(work),
    migration: (work) => work((step) => openKysely(connection, PREFIX).transaction().execute(step)),
  }
}
