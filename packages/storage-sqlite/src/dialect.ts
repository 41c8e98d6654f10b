import { placedTables, type RunSync, runsSynchronously, type Tables } from '@countersign/storage-sql'
import type Sqlite from 'better-sqlite3'
import type { DatabaseConnection, Dialect, Driver, QueryResult } from 'kysely'
import { CompiledQuery, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Connection } from './connect.ts'
import { asUnavailable } from './errors.ts'
import { retryWhileBusy } from './retry-while-busy.ts'
import { SEARCH_TABLES } from './search.ts'

/** Statements that are kept prepared: more than this program has texts, few enough where it makes some up. */
const MOST_PREPARED = 500

/** Kysely's own transactions are those of migrations: milliseconds to wait for another process's to end. */
const MIGRATION_PATIENCE = 60_000

/**
 * Kysely on one connection that the caller opened and closes. Other than Kysely's own dialect for SQLite it keeps its
 * statements prepared, begins transactions as writers (a reader that turns writer fails where another wrote meanwhile),
 * undoes a failed migration, and leaves it to the caller that nothing comes between the statements of a transaction.
 */
export const openKysely = (connection: Connection, prefix: string): Kysely<Tables> => {
  const run = runner(connection)
  const dialect: Dialect = {
    createDriver: () => driverOn(connection, databaseConnection(run)),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new Adapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  }
  return runsSynchronously(new Kysely<Tables>({ dialect, plugins: [placedTables({ prefix }, SEARCH_TABLES)] }), run)
}

class Adapter extends SqliteAdapter {
  /** Lets Kysely wait for nobody: the one connection answers at once, and the caller keeps transactions apart. */
  override get supportsMultipleConnections(): boolean {
    return true
  }

  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

const driverOn = (connection: Connection, only: DatabaseConnection): Driver => {
  const run = async (sql: string) => {
    await only.executeQuery(CompiledQuery.raw(sql))
  }
  return {
    init: async () => {},
    acquireConnection: async () => only,
    beginTransaction: () => beginImmediate(connection, MIGRATION_PATIENCE),
    commitTransaction: () => run('commit'),
    rollbackTransaction: () => run('rollback'),
    releaseConnection: async () => {},
    destroy: async () => {},
  }
}

/**
 * Begins a transaction and takes the database's one lock for writing.
 *
 * @param patience Milliseconds to wait for who else has it. @throws Unavailable
 */
export const beginImmediate = async (connection: Connection, patience?: number): Promise<void> => {
  await retryWhileBusy(() => connection.exec('begin immediate'), patience)
}

const runner = (connection: Connection): RunSync => {
  const prepared = new LRUCache<string, Sqlite.Statement>({ max: MOST_PREPARED })

  const prepare = (sql: string): Sqlite.Statement => {
    const known = prepared.get(sql)
    if (known !== undefined) return known
    const statement = connection.prepare(sql)
    prepared.set(sql, statement)
    return statement
  }

  return ({ sql, parameters }) => {
    try {
      const statement = prepare(sql)
      if (statement.reader) return { rows: statement.all(parameters) }
      const { changes } = statement.run(parameters)
      return { numAffectedRows: BigInt(changes), rows: [] }
    } catch (error) {
      throw asUnavailable(error)
    }
  }
}

const databaseConnection = (run: RunSync): DatabaseConnection => ({
  executeQuery: async <R>(query: CompiledQuery) => run(query) as QueryResult<R>,
  streamQuery: () => {
    throw new Error('SQLite answers in one piece; there is nothing to stream')
  },
})
