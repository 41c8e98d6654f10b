import { statementNameOf } from '@countersign/storage-sql'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely'
import { batchReads } from './batch-reads.ts'
import { type CheckedOut, checkOut, refuseToStream, toResult } from './connection.ts'
import type { Pool } from './pool.ts'

/**
 * Kysely on a pool. Other than Kysely's own driver it throws `Unavailable` where the server is away, outlives a connection
 * that breaks while it is checked out, says what is known of work that was lost with it, gives no such connection back, and
 * begins every transaction as `read committed`, which the stores count on: each statement sees what was committed before it.
 * One that only reads is a snapshot: all of its statements see what was committed before the first.
 */
export const postgresDialect = (pool: Pool): Dialect => ({
  createDriver: () => driverOn(pool),
  createQueryCompiler: () => new PostgresQueryCompiler(),
  createAdapter: () => new Adapter(),
  createIntrospector: (db) => new PostgresIntrospector(db),
})

class Adapter extends PostgresAdapter {
  /**
   * Migrations run in a transaction that holds a lock. Kysely's would be one of the session, which a pooler between here
   * and the server leaves locked: it hands what unlocks it to another session.
   */
  override async acquireMigrationLock(): Promise<void> {}

  override async releaseMigrationLock(): Promise<void> {}
}

/**
 * The same for statements that only read and are on their own. Those that are kept share connections and round trips (see
 * `batchReads`); others have one to themselves.
 */
export const postgresReadDialect = (pool: Pool): Dialect => ({ ...postgresDialect(pool), createDriver: () => readDriverOn(pool) })

const readDriverOn = (pool: Pool): Driver => {
  const ask = batchReads(() => checkOut(pool))
  const shared: DatabaseConnection = {
    executeQuery: async <R>(compiled: CompiledQuery) => {
      const name = statementNameOf(compiled)
      if (name !== undefined) return toResult<R>(await ask({ text: compiled.sql, values: compiled.parameters, name }))
      const connection = await checkOut(pool)
      try {
        return await connection.executeQuery<R>(compiled)
      } finally {
        connection.release()
      }
    },
    streamQuery: refuseToStream,
  }
  const refuse = async (): Promise<never> => {
    throw new Error('A transaction was begun where statements only read')
  }
  return {
    init: async () => {},
    acquireConnection: async () => shared,
    releaseConnection: async () => {},
    beginTransaction: refuse,
    commitTransaction: refuse,
    rollbackTransaction: refuse,
    destroy: async () => {},
  }
}

const driverOn = (pool: Pool): Driver => {
  const checkedOut = new WeakMap<DatabaseConnection, CheckedOut>()
  const known = (connection: DatabaseConnection): CheckedOut => {
    const found = checkedOut.get(connection)
    if (found === undefined) throw new Error('A connection of another pool was used')
    return found
  }
  return {
    init: async () => {},
    acquireConnection: async () => {
      const connection = await checkOut(pool)
      checkedOut.set(connection, connection)
      return connection
    },
    beginTransaction: (connection, { accessMode }) =>
      known(connection).begin(accessMode === 'read only' ? 'snapshot' : 'read committed'),
    commitTransaction: (connection) => known(connection).commit(),
    rollbackTransaction: (connection) => known(connection).rollback(),
    releaseConnection: async (connection) => known(connection).release(),
    destroy: () => pool.end(),
  }
}
