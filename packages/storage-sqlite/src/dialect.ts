import type { StorageObserver } from '@countersign/core'
import { placedTables, runsBy, type Tables } from '@countersign/storage-sql'
import type Sqlite from 'better-sqlite3'
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Connection } from './connect.ts'
import { asUnavailable } from './errors.ts'
import { retryWhileBusy } from './retry-while-busy.ts'
import { SEARCH_TABLES } from './search.ts'

/** The greatest number of prepared statements per connection. It exceeds the number of different statements. */
const MOST_PREPARED = 500

/** Milliseconds that a migration waits for the transaction of another process. Only migrations use transactions of Kysely. */
const MIGRATION_PATIENCE = 60_000

/**
 * Kysely on one connection that the caller opens and closes. In contrast to Kysely's own dialect for SQLite, it keeps statements
 * prepared, and it rolls back failed migrations. Transactions begin as writers: a reader that turns into a writer fails if
 * another connection wrote meanwhile. The caller must run the statements of one transaction without others in between.
 */
export const openKysely = (connection: Connection, prefix: string, observer?: StorageObserver): Kysely<Tables> => {
  const run = observer === undefined ? runner(connection) : observed(runner(connection), observer)
  const dialect: Dialect = {
    createDriver: () => driverOn(connection, databaseConnection(run)),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => adapterOf(prefix),
    createIntrospector: (db) => new SqliteIntrospector(db),
  }
  return runsBy(new Kysely<Tables>({ dialect, plugins: [placedTables({ prefix }, SEARCH_TABLES)] }), run)
}

class Adapter extends SqliteAdapter {
  /** Disables Kysely's connection mutex: the single connection answers synchronously, and the caller separates transactions. */
  override get supportsMultipleConnections(): boolean {
    return true
  }

  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

/** One adapter for each prefix, because compiled queries are kept for each adapter. */
const adapters = new Map<string, Adapter>()

const adapterOf = (prefix: string): Adapter => {
  const adapter = adapters.get(prefix) ?? new Adapter()
  adapters.set(prefix, adapter)
  return adapter
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
 * Begins a transaction and takes the only write lock of the database.
 *
 * @param patience Milliseconds to wait for the lock. @throws Unavailable
 */
export const beginImmediate = async (connection: Connection, patience?: number): Promise<void> => {
  await retryWhileBusy(() => connection.exec('begin immediate'), patience)
}

type RunSync = (query: Pick<CompiledQuery, 'sql' | 'parameters'>) => QueryResult<unknown>

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

export const observed =
  <Given extends { readonly sql: string }, Answer>(run: (query: Given) => Answer, observer: StorageObserver) =>
  (query: Given): Answer => {
    const startedAt = performance.now()
    const told = { system: 'sqlite', text: query.sql } as const
    try {
      const answer = run(query)
      observer.statement({ ...told, milliseconds: performance.now() - startedAt })
      return answer
    } catch (error) {
      observer.statement({ ...told, milliseconds: performance.now() - startedAt, error })
      throw error
    }
  }

const databaseConnection = (run: RunSync): DatabaseConnection => ({
  executeQuery: async <R>(query: CompiledQuery) => run(query) as QueryResult<R>,
  streamQuery: () => {
    throw new Error('SQLite answers in one piece; there is nothing to stream')
  },
})
