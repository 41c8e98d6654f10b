import { setImmediate } from 'node:timers/promises'
import type { StorageObserver } from '@countersign/core'
import { Unavailable } from '@countersign/core/storage'
import { type Engine, missingTables, rowsWritten, runInOrder } from '@countersign/storage-sql'
import { sql } from 'kysely'
import { type Connections, connectReader, connectWriter } from './connect.ts'
import { openKysely } from './dialect.ts'
import { onThisThread, waitingElsewhere } from './disk.ts'
import { groupCommit } from './writer.ts'

export const sqliteEngine = (
  path: string,
  { writer, reader }: Connections,
  prefix: string,
  tables: readonly string[],
  observer?: StorageObserver,
): Engine => {
  const committed = openKysely(reader, prefix, observer)
  const disk = writer.memory ? onThisThread : waitingElsewhere(path, { writer, reader })
  const { write, transaction, drain } = groupCommit(writer, prefix, observer, disk)
  const longWork: Engine['longWork'] = async (work) => {
    // Migrations use a separate connection, because a transaction of Kysely would mix with the transactions of the writer.
    const connection = await connectWriter(path)
    try {
      return await work(openKysely(connection, prefix))
    } finally {
      connection.close()
    }
  }
  const checkTables = async (): Promise<void> => {
    const { rows } = await sql<{ readonly name: string }>`select name from sqlite_schema where type = 'table'`.execute(committed)
    const present = new Set(rows.map(({ name }) => name))
    const missing = tables.filter((name) => !present.has(prefix + name))
    if (missing.length === 0) return
    const cause = Object.assign(new Error('Tables are missing'), { forOperator: missingTables(missing, tables) })
    throw new Unavailable(undefined, { cause, reason: 'database_not_migrated' })
  }
  return {
    read: (query) => query(committed),
    write,
    // Every write shares a commit with others here.
    writeBatched: ({ statement }) => write((db) => rowsWritten(db, statement(db))),
    transaction,
    batch: (statements) => transaction((db) => runInOrder(db, statements)),
    migration: (work) => longWork((db) => work((step) => db.transaction().execute(step))),
    snapshot: async (work) => {
      const connection = connectReader(path)
      try {
        // The first statement creates the snapshot of the transaction.
        connection.exec('begin')
        return await work(openKysely(connection, prefix))
      } finally {
        connection.close()
      }
    },
    longWork,
    isSynchronous: true,
    ping: async () => {
      // Uses the writer, so that a ping fails when the database is read-only.
      await write((db) => sql`select 1 from sqlite_schema limit 1`.execute(db))
    },
    checkTables,
    probeWrites: async () => {
      await checkTables()
      // Writing the version of the host's application writes the first page of the file, even if the version stays the same.
      await transaction(async (db) => {
        const { rows } = await sql<{ readonly user_version: number }>`pragma user_version`.execute(db)
        await sql.raw(`pragma user_version = ${Number(rows[0]?.user_version ?? 0)}`).execute(db)
      })
    },
    close: async () => {
      await drain()
      // A read completes synchronously.
      await setImmediate()
      await disk.close()
      reader.close()
      writer.close()
    },
  }
}
