import {
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely'
import { type CheckedOut, checkOut } from './connection.ts'
import type { Pool } from './pool.ts'
import { type Observe, unobserved } from './statements/observe-statements.ts'

/**
 * Kysely on a pool. It throws `Unavailable` when the server is unreachable, survives a broken connection and reports whether its
 * work may be committed. Transactions are `read committed`, on which the stores rely, and read-only ones are snapshots.
 */
export const postgresDialect = (pool: Pool, observe: Observe = unobserved): Dialect => ({
  createDriver: () => driverOn(pool, observe),
  createQueryCompiler: () => new PostgresQueryCompiler(),
  createAdapter: () => new Adapter(),
  createIntrospector: (db) => new PostgresIntrospector(db),
})

class Adapter extends PostgresAdapter {
  /** Migrations run in a transaction with a lock. Kysely's lock of the session would stay locked behind a pooler. */
  override async acquireMigrationLock(): Promise<void> {}

  override async releaseMigrationLock(): Promise<void> {}
}

const driverOn = (pool: Pool, observe: Observe): Driver => {
  const checkedOut = new WeakMap<DatabaseConnection, CheckedOut>()
  const known = (connection: DatabaseConnection): CheckedOut => {
    const found = checkedOut.get(connection)
    if (found === undefined) throw new Error('A connection of another pool was used')
    return found
  }
  return {
    init: async () => {},
    acquireConnection: async () => {
      const connection = await checkOut(pool, observe)
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
