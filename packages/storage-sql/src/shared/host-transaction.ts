import type { Kysely } from 'kysely'
import type { Tables } from '../tables/index.ts'
import type { Database } from './database.ts'
import { rowsWritten, runInOrder } from './run-compiled.ts'

/**
 * Returns the database of the stores inside a transaction of the host. The host commits or rolls back, so nothing here begins or
 * ends a transaction.
 */
export const hostTransaction = (db: Kysely<Tables>): Database => {
  const database: Database = {
    read: (query) => query(db),
    snapshot: (work) => work(database),
    write: (statement) => statement(db),
    writeBatched: ({ statement }) => rowsWritten(db, statement(db)),
    transaction: (work) => work(database),
    batch: (statements) => runInOrder(db, statements),
    // The host commits later, and this process does not learn when. The change feed reports the committed changes.
    changed: () => {},
  }
  return database
}
