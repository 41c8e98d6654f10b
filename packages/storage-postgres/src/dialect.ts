import { Unavailable } from '@countersign/core'
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
import { asUnavailable, breaksConnection, isNotDone, isStatementLost, LostConnection } from './errors.ts'
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

interface Asked {
  readonly text: string
  readonly values: unknown[]
  /**
   * By which the server keeps the statement prepared, where that lasts. It spares the server half of its processor time for
   * a refresh.
   */
  readonly name?: string | undefined
  /** Whether the statement, once done, is committed: of work that breaks before it, nothing remains. */
  readonly commits?: boolean
}

const checkOut = async (pool: Pool): Promise<CheckedOut> => {
  const { client, release, answerTimeout, keepsStatements } = await acquire(pool)
  let isBroken = false
  let isInTransaction = false
  const noteBreak = () => {
    isBroken = true
  }
  client.on('error', noteBreak)

  const query = async ({ name, commits = !isInTransaction, ...statement }: Asked) => {
    if (isBroken) throw new LostConnection(false, { cause: new Error('The connection to the database is broken') })
    try {
      return await client.query({
        ...statement,
        ...(name !== undefined && keepsStatements && { name }),
        ...(answerTimeout && { query_timeout: answerTimeout }),
      })
    } catch (error) {
      if (isStatementLost(error)) pool.distrustStatements()
      if (!breaksConnection(error)) throw asUnavailable(error)
      isBroken = true
      pool.suspect()
      throw new LostConnection(commits && !isNotDone(error), { cause: error })
    }
  }

  return {
    begin: async () => {
      isInTransaction = true
      await query({ text: 'start transaction isolation level read committed', values: [] })
    },
    commit: async () => {
      const { command } = await query({ text: 'commit', values: [], commits: true })
      isInTransaction = false
      if (command === 'ROLLBACK') throw new Error('The transaction was rolled back, as a statement of it had failed')
    },
    rollback: async () => {
      isInTransaction = false
      // The server undoes what its lost connections began.
      if (!isBroken) await query({ text: 'rollback', values: [], commits: false })
    },
    executeQuery: async <R>(compiled: CompiledQuery) => {
      const asked = { text: compiled.sql, values: [...compiled.parameters], name: statementNameOf(compiled) }
      const { command, rowCount, rows } = await query(asked)
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
