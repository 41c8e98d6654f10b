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
import { gatherReads } from './reads.ts'
import { type Answer, type Answers, type Statement, sendTogether } from './statements/send-together.ts'

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

/**
 * The same for statements that only read and are on their own. Those that are kept share connections and round trips (see
 * `gatherReads`); others have one to themselves.
 */
export const postgresReadDialect = (pool: Pool): Dialect => ({ ...postgresDialect(pool), createDriver: () => readDriverOn(pool) })

interface CheckedOut extends DatabaseConnection {
  begin(): Promise<void>
  commit(): Promise<void>
  rollback(): Promise<void>
  /** Statements that are kept, in one piece; see `sendTogether`. */
  sendTogether(statements: readonly Statement[]): Promise<Answers>
  release(): void
}

const readDriverOn = (pool: Pool): Driver => {
  const ask = gatherReads(() => checkOut(pool))
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
    beginTransaction: (connection) => known(connection).begin(),
    commitTransaction: (connection) => known(connection).commit(),
    rollbackTransaction: (connection) => known(connection).rollback(),
    releaseConnection: async (connection) => known(connection).release(),
    destroy: () => pool.end(),
  }
}

const refuseToStream = (): never => {
  throw new Error('Answers are read in one piece')
}

const toResult = <R>({ command, rowCount, rows }: { command: string; rowCount: number | null; rows: readonly unknown[] }) => ({
  ...(/^(INSERT|UPDATE|DELETE|MERGE)$/.test(command) && { numAffectedRows: BigInt(rowCount ?? 0) }),
  rows: rows as R[],
})

const BEGIN: Statement = { text: 'start transaction isolation level read committed', values: [], name: 'begin_read_committed' }

const checkOut = async (pool: Pool): Promise<CheckedOut> => {
  const { client, release, answerTimeout, keepsStatements } = await acquire(pool)
  let isBroken = false
  let isInTransaction = false
  /** The beginning of a transaction waits for its first statement, which it goes with. */
  let begun: Promise<unknown> | undefined
  const noteBreak = () => {
    isBroken = true
  }
  client.on('error', noteBreak)

  const requireWhole = (): void => {
    if (isBroken) throw new LostConnection(false, { cause: new Error('The connection to the database is broken') })
  }

  /** What is to be thrown for an error of the driver. @param commits Whether what failed, once done, is committed */
  const failureOf = (error: unknown, commits: boolean): unknown => {
    if (isStatementLost(error)) pool.distrustStatements()
    if (!breaksConnection(error)) return asUnavailable(error)
    isBroken = true
    pool.suspect()
    return new LostConnection(commits && !isNotDone(error), { cause: error })
  }

  /** Sends a statement whole. */
  const query = async (text: string, values: readonly unknown[] = [], commits = !isInTransaction) => {
    requireWhole()
    try {
      return await client.query({ text, values: [...values], ...(answerTimeout && { query_timeout: answerTimeout }) })
    } catch (error) {
      throw failureOf(error, commits)
    }
  }

  const together = async (statements: readonly Statement[]): Promise<Answers> => {
    requireWhole()
    const commits = !isInTransaction
    const sent = keepsStatements ? statements : statements.map((statement) => ({ ...statement, name: undefined }))
    const { answers, failure } = await sendTogether(client, sent, answerTimeout)
    return { answers, ...(failure && { failure: { error: failureOf(failure.error, commits) } }) }
  }

  /** The answer to the last of them. */
  const lastOf = async (statements: readonly Statement[]): Promise<Answer> => {
    const { answers, failure } = await together(statements)
    if (failure !== undefined) throw failure.error
    return answers[statements.length - 1] as Answer
  }

  /** The first one begins the transaction that it is in, in the same round trip. */
  const execute = async (statement: Statement): Promise<Answer> => {
    if (!isInTransaction) return lastOf([statement])
    if (begun !== undefined) {
      await begun
      return lastOf([statement])
    }
    const both = together([BEGIN, statement])
    begun = both.then(({ answers, failure }) => {
      if (answers.length === 0) throw failure?.error
    })
    await begun
    const { answers, failure } = await both
    if (failure !== undefined) throw failure.error
    return answers[1] as Answer
  }

  return {
    begin: async () => {
      isInTransaction = true
    },
    commit: async () => {
      if (begun !== undefined) {
        const { command } = await query('commit', [], true)
        if (command === 'ROLLBACK') throw new Error('The transaction was rolled back, as a statement of it had failed')
      }
      begun = undefined
      isInTransaction = false
    },
    rollback: async () => {
      const wasBegun = begun !== undefined
      begun = undefined
      isInTransaction = false
      // The server undoes what its lost connections began.
      if (wasBegun && !isBroken) await query('rollback', [], false)
    },
    executeQuery: async <R>(compiled: CompiledQuery) => {
      const statement = { text: compiled.sql, values: compiled.parameters, name: statementNameOf(compiled) }
      if (statement.name !== undefined) return toResult<R>(await execute(statement))
      if (isInTransaction) {
        begun ??= query(BEGIN.text)
        await begun
      }
      return toResult<R>(await query(statement.text, statement.values))
    },
    sendTogether: together,
    streamQuery: refuseToStream,
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
