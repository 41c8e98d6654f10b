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
import { asUnavailable, breaksConnection, isNotDone, LostConnection } from './errors.ts'
import type { Acquired, Pool } from './pool.ts'

/**
 * Kysely on a pool. Other than Kysely's own driver it throws `Unavailable` where the server is away, outlives a connection
 * that breaks while it is checked out, says what is known of work that was lost with it, gives no such connection back, and
 * begins every transaction as `read committed`, which the stores count on: each statement sees what was committed before it.
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

interface CheckedOut extends DatabaseConnection {
  begin(): Promise<void>
  commit(): Promise<void>
  rollback(): Promise<void>
  release(): void
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
    beginTransaction: (connection) => known(connection).begin(),
    commitTransaction: (connection) => known(connection).commit(),
    rollbackTransaction: (connection) => known(connection).rollback(),
    releaseConnection: async (connection) => known(connection).release(),
    destroy: () => pool.end(),
  }
}

const checkOut = async (pool: Pool): Promise<CheckedOut> => {
  const { client, release, answerTimeout } = await acquire(pool)
  let isBroken = false
  let isInTransaction = false
  const noteBreak = () => {
    isBroken = true
  }
  client.on('error', noteBreak)

  /** @param commits Whether the statement, once done, is committed: of work that breaks before it, nothing remains. */
  const query = async (sql: string, parameters: readonly unknown[] = [], commits = !isInTransaction) => {
    if (isBroken) throw new LostConnection(false, { cause: new Error('The connection to the database is broken') })
    try {
      return await client.query({ text: sql, values: [...parameters], ...(answerTimeout && { query_timeout: answerTimeout }) })
    } catch (error) {
      if (!breaksConnection(error)) throw asUnavailable(error)
      isBroken = true
      pool.suspect()
      throw new LostConnection(commits && !isNotDone(error), { cause: error })
    }
  }

  return {
    begin: async () => {
      isInTransaction = true
      await query('start transaction isolation level read committed')
    },
    commit: async () => {
      const { command } = await query('commit', [], true)
      isInTransaction = false
      if (command === 'ROLLBACK') throw new Error('The transaction was rolled back, as a statement of it had failed')
    },
    rollback: async () => {
      isInTransaction = false
      // The server undoes what its lost connections began.
      if (!isBroken) await query('rollback', [], false)
    },
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
      release(isBroken)
    },
  }
}

/** Whatever goes wrong here, a refused password included, the database cannot be reached. */
const acquire = async (pool: Pool): Promise<Acquired> => {
  try {
    return await pool.acquire()
  } catch (error) {
    throw new Unavailable(undefined, { cause: error })
  }
}
