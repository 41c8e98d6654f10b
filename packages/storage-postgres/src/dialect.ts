import { Unavailable } from '@countersign/core'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely'
import type pg from 'pg'
import { asUnavailable, breaksConnection } from './errors.ts'

/**
 * Kysely on a pool. Other than Kysely's own driver it throws `Unavailable` where the server is away, outlives a connection
 * that breaks while it is checked out, gives no such connection back, and begins every transaction as `read committed`,
 * which the stores count on: each statement sees what was committed before it.
 */
export const postgresDialect = (pool: pg.Pool): Dialect => ({
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

interface CheckedOut extends DatabaseConnection {
  query(sql: string, parameters?: readonly unknown[]): Promise<pg.QueryResult>
  release(): void
}

const driverOn = (pool: pg.Pool): Driver => {
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
    beginTransaction: async (connection) => {
      await known(connection).query('start transaction isolation level read committed')
    },
    commitTransaction: async (connection) => {
      const { command } = await known(connection).query('commit')
      if (command === 'ROLLBACK') throw new Error('The transaction was rolled back, as a statement of it had failed')
    },
    rollbackTransaction: async (connection) => {
      await known(connection).query('rollback')
    },
    releaseConnection: async (connection) => known(connection).release(),
    destroy: () => pool.end(),
  }
}

const checkOut = async (pool: pg.Pool): Promise<CheckedOut> => {
  const client = await connectTo(pool)
  let isBroken = false
  const noteBreak = () => {
    isBroken = true
  }
  // While it is checked out the pool does not listen, and an error nobody listens to would end the process.
  client.on('error', noteBreak)

  const query = async (sql: string, parameters: readonly unknown[] = []) => {
    try {
      if (isBroken) throw new Error('The connection to the database is broken')
      return await client.query(sql, [...parameters])
    } catch (error) {
      if (breaksConnection(error)) isBroken = true
      throw asUnavailable(error)
    }
  }

  return {
    query,
    executeQuery: async <R>({ sql, parameters }: CompiledQuery) => {
      const { command, rowCount, rows } = await query(sql, parameters)
      const affected = /^(INSERT|UPDATE|DELETE|MERGE)$/.test(command) ? { numAffectedRows: BigInt(rowCount ?? 0) } : {}
      return { ...affected, rows: rows as R[] }
    },
    streamQuery: () => {
      throw new Error('Answers are read in one piece')
    },
    release: () => {
      client.off('error', noteBreak)
      client.release(isBroken)
    },
  }
}

/** Whatever goes wrong here, a refused password included, the database cannot be reached. */
const connectTo = async (pool: pg.Pool): Promise<pg.PoolClient> => {
  try {
    return await pool.connect()
  } catch (error) {
    throw new Unavailable(undefined, { cause: error })
  }
}
