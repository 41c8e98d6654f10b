import { Unavailable } from '@countersign/core/storage'
import { statementNameOf } from '@countersign/storage-sql'
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely'
import {
  addTimeoutCode,
  asUnavailable,
  breaksConnection,
  isEndedByServer,
  isNotExecuted,
  isPreparedStatementInvalid,
  isTimedOut,
  isTransactionAborted,
  isUnansweredInTime,
  LostConnection,
} from './errors.ts'
import type { Acquired, Pool } from './pool.ts'
import { reasonOf } from './reason-of.ts'
import { type Observe, type ObservedQuery, unobserved } from './statements/observe-statements.ts'
import { type Answer, type Answers, type Statement, sendBatch } from './statements/send-batch.ts'
import { valueTypes } from './value-types.ts'

export interface CheckedOut extends DatabaseConnection {
  /** Begins a transaction, in which a statement sees what was committed before it, or in a `snapshot` before the first one. */
  begin(isolation?: 'read committed' | 'snapshot'): Promise<void>
  commit(): Promise<void>
  rollback(): Promise<void>
  /** Runs statements in one transaction and round trip. If the connection is lost, the transaction may have been committed. */
  runTransaction(queries: readonly CompiledQuery[]): Promise<readonly number[]>
  /** Runs prepared statements that only read, in one round trip, outside of a transaction. If one fails, none is answered. */
  readAll(queries: readonly CompiledQuery[]): Promise<readonly QueryResult<unknown>[]>
  release(): void
}

export const refuseToStream = (): never => {
  throw new Error('This driver does not stream answers')
}

const toResult = <R>({ command, rowCount, rows }: { command: string; rowCount: number | null; rows: readonly unknown[] }) => ({
  ...(/^(INSERT|UPDATE|DELETE|MERGE)$/.test(command) && { numAffectedRows: BigInt(rowCount ?? 0) }),
  rows: rows as R[],
})

const control = (name: string, text: string): Statement => ({ name, text, values: [] })

const BEGIN = control('begin_read_committed', 'start transaction isolation level read committed')
const BEGIN_SNAPSHOT = control('begin_snapshot', 'start transaction isolation level repeatable read read only')
const COMMIT = control('commit', 'commit')

/** Waits for a connection of the pool. @throws Unavailable if no connection becomes free in time */
export const checkOut = async (pool: Pool, observe: Observe = unobserved): Promise<CheckedOut> => {
  const { client, release, answerTimeout, reusesStatements } = await acquire(pool)
  let isBroken = false
  let isUnanswered = false
  let madeProgress = true
  let firstError: unknown
  let isInTransaction = false
  let beginStatement = BEGIN
  /** Resolves once the transaction has begun on the server. `begin` is sent together with the first statement. */
  let begun: Promise<unknown> | undefined
  const markBroken = () => {
    isBroken = true
  }
  client.on('error', markBroken)

  const toStatement = (compiled: ObservedQuery): Statement => ({
    text: compiled.sql,
    values: compiled.parameters,
    name: statementNameOf(compiled),
    tell: compiled.tell ?? observe(compiled.sql),
  })

  const requireUnbroken = (): void => {
    if (isBroken) throw new LostConnection(false, { cause: new Error('The connection to the database is broken') })
  }

  /** Converts an error of the driver. @param mayBeCommitted Whether the sent statements may have been committed. */
  const toFailure = (error: unknown, mayBeCommitted: boolean): unknown => {
    if (isPreparedStatementInvalid(error)) pool.stopReusingStatements()
    if (isTimedOut(error)) madeProgress = false
    // "The transaction is aborted" hides the reason, so the first error of the transaction is thrown instead.
    if (isTransactionAborted(error) && firstError !== undefined) return firstError
    if (!breaksConnection(error)) {
      firstError ??= asUnavailable(error)
      return asUnavailable(error)
    }
    isBroken = true
    pool.recheckAll()
    addTimeoutCode(error)
    if (isUnansweredInTime(error)) isUnanswered = true
    return new LostConnection(mayBeCommitted, { cause: error })
  }

  /** Sends one statement by the driver's own query, with its whole text. */
  const query = async (text: string, values: readonly unknown[] = [], commits = !isInTransaction) => {
    requireUnbroken()
    const tell = observe(text)
    const startedAt = tell && performance.now()
    try {
      const answer = await client.query({
        text,
        values: [...values],
        types: valueTypes,
        ...(answerTimeout && { query_timeout: answerTimeout }),
      })
      if (startedAt !== undefined) tell?.(performance.now() - startedAt)
      return answer
    } catch (error) {
      if (startedAt !== undefined) tell?.(performance.now() - startedAt, error)
      throw toFailure(error, commits && !isNotExecuted(error))
    }
  }

  const send = async (statements: readonly Statement[]): Promise<Answers> => {
    requireUnbroken()
    const sent = reusesStatements ? statements : statements.map((statement) => ({ ...statement, name: undefined }))
    return sendBatch(client, sent, answerTimeout)
  }

  const sendConverted = async (statements: readonly Statement[]): Promise<Answers> => {
    const commits = !isInTransaction
    const { answers, failure } = await send(statements)
    return { answers, ...(failure && { failure: { error: toFailure(failure.error, commits && !isNotExecuted(failure.error)) } }) }
  }

  const sendAll = async (statements: readonly Statement[]): Promise<readonly Answer[]> => {
    const { answers, failure } = await sendConverted(statements)
    if (failure !== undefined) throw failure.error
    return answers
  }
  const sendOne = async (statement: Statement): Promise<Answer> => (await sendAll([statement]))[0] as Answer

  /** Executes a prepared statement. The first statement of a transaction is sent in one piece with `begin`. */
  const execute = async (statement: Statement): Promise<Answer> => {
    if (!isInTransaction) return sendOne(statement)
    if (begun !== undefined) {
      await begun
      return sendOne(statement)
    }
    const both = sendConverted([beginStatement, statement])
    begun = both.then(({ answers, failure }) => {
      if (answers.length === 0) throw failure?.error
    })
    await begun
    const { answers, failure } = await both
    if (failure !== undefined) throw failure.error
    return answers[1] as Answer
  }

  const runTransaction = async (statements: readonly Statement[]): Promise<readonly Answer[]> => {
    const { answers, failure } = await send([BEGIN, ...statements, { ...COMMIT, tell: observe(COMMIT.text) }])
    // The server may have executed the commit even if sending the batch failed.
    const error = failure && toFailure(failure.error, !isEndedByServer(failure.error))
    // An answered commit is durable, even if the connection broke afterwards.
    if (answers.length === statements.length + 2) return answers.slice(1, -1)
    if (!isBroken) await query('rollback', [], false)
    throw error
  }

  return {
    begin: async (isolation = 'read committed') => {
      isInTransaction = true
      firstError = undefined
      beginStatement = isolation === 'snapshot' ? BEGIN_SNAPSHOT : BEGIN
    },
    commit: async () => {
      if (begun !== undefined) {
        const { command } = await query('commit', [], true)
        if (command === 'ROLLBACK') throw new Error('The transaction was rolled back, because one of its statements had failed')
      }
      begun = undefined
      isInTransaction = false
    },
    rollback: async () => {
      const wasBegun = begun !== undefined
      begun = undefined
      isInTransaction = false
      // The server rolls back the transactions of lost connections.
      if (wasBegun && !isBroken) await query('rollback', [], false)
    },
    executeQuery: async <R>(compiled: CompiledQuery) => {
      const statement = toStatement(compiled)
      if (statement.name !== undefined) return toResult<R>(await execute(statement))
      if (isInTransaction) {
        begun ??= query(beginStatement.text)
        await begun
      }
      return toResult<R>(await query(statement.text, statement.values))
    },
    runTransaction: async (queries) => (await runTransaction(queries.map(toStatement))).map(({ rowCount }) => rowCount),
    readAll: async (queries) => (await sendAll(queries.map(toStatement))).map(toResult),
    streamQuery: refuseToStream,
    release: () => {
      client.off('error', markBroken)
      release({ isBroken, isUnanswered, madeProgress: madeProgress && !isBroken })
    },
  }
}

/** Acquires a connection. Any failure, a wrong password included, means that the database cannot be reached. */
const acquire = async (pool: Pool): Promise<Acquired> => {
  try {
    return await pool.acquire()
  } catch (error) {
    if (error instanceof Unavailable) throw error
    addTimeoutCode(error)
    throw new Unavailable(undefined, { cause: error, reason: reasonOf(error) })
  }
}
