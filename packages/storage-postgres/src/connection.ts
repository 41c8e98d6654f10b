import { Unavailable } from '@countersign/core/storage'
import { statementNameOf } from '@countersign/storage-sql'
import type { CompiledQuery, DatabaseConnection } from 'kysely'
import {
  asUnavailable,
  breaksConnection,
  isAfterFailure,
  isEndedByServer,
  isGivenUp,
  isNotDone,
  isStatementLost,
  LostConnection,
  nameTimeout,
} from './errors.ts'
import type { Acquired, Pool } from './pool.ts'
import { type Answer, type Answers, type Statement, sendTogether } from './statements/send-together.ts'

/** A connection that is given out. */
export interface CheckedOut extends DatabaseConnection {
  /** @param as What its statements see: each what was committed before it, or all of them what was before the first. */
  begin(as?: 'read committed' | 'snapshot'): Promise<void>
  commit(): Promise<void>
  rollback(): Promise<void>
  /** Statements that are kept, in one piece; see `sendTogether`. */
  sendTogether(statements: readonly Statement[]): Promise<Answers>
  /**
   * Runs statements that are kept in one transaction, and in one round trip; see `Engine.together`. Where the connection is
   * lost, whatever the server does not say itself leaves it open whether they were committed.
   */
  transact(queries: readonly CompiledQuery[]): Promise<readonly number[]>
  release(): void
}

export const refuseToStream = (): never => {
  throw new Error('Answers are read in one piece')
}

export const toResult = <R>({
  command,
  rowCount,
  rows,
}: {
  command: string
  rowCount: number | null
  rows: readonly unknown[]
}) => ({
  ...(/^(INSERT|UPDATE|DELETE|MERGE)$/.test(command) && { numAffectedRows: BigInt(rowCount ?? 0) }),
  rows: rows as R[],
})

const BEGIN: Statement = { text: 'start transaction isolation level read committed', values: [], name: 'begin_read_committed' }
const BEGIN_SNAPSHOT: Statement = {
  text: 'start transaction isolation level repeatable read read only',
  values: [],
  name: 'begin_snapshot',
}
const COMMIT: Statement = { text: 'commit', values: [], name: 'commit' }

const toStatement = (compiled: CompiledQuery): Statement => ({
  text: compiled.sql,
  values: compiled.parameters,
  name: statementNameOf(compiled),
})

/** Waits for a connection of the pool. @throws Unavailable where none can be had */
export const checkOut = async (pool: Pool): Promise<CheckedOut> => {
  const { client, release, answerTimeout, keepsStatements } = await acquire(pool)
  let isBroken = false
  let gotOn = true
  /** What the transaction failed with first. */
  let failedWith: unknown
  let isInTransaction = false
  let beginning = BEGIN
  /** The beginning of a transaction waits for its first statement, which it goes with. */
  let begun: Promise<unknown> | undefined
  const noteBreak = () => {
    isBroken = true
  }
  client.on('error', noteBreak)

  const requireWhole = (): void => {
    if (isBroken) throw new LostConnection(false, { cause: new Error('The connection to the database is broken') })
  }

  /** What is to be thrown for an error of the driver. @param mayBeDone Whether what was sent may be committed all the same */
  const failureOf = (error: unknown, mayBeDone: boolean): unknown => {
    if (isStatementLost(error)) pool.distrustStatements()
    if (isGivenUp(error)) gotOn = false
    // That a transaction has failed already says nothing; whoever went on in it, and tells of this one, means the first.
    if (isAfterFailure(error) && failedWith !== undefined) return failedWith
    if (!breaksConnection(error)) {
      failedWith ??= asUnavailable(error)
      return asUnavailable(error)
    }
    isBroken = true
    pool.suspect()
    nameTimeout(error)
    return new LostConnection(mayBeDone, { cause: error })
  }

  /** Sends a statement whole. */
  const query = async (text: string, values: readonly unknown[] = [], commits = !isInTransaction) => {
    requireWhole()
    try {
      return await client.query({ text, values: [...values], ...(answerTimeout && { query_timeout: answerTimeout }) })
    } catch (error) {
      throw failureOf(error, commits && !isNotDone(error))
    }
  }

  const send = async (statements: readonly Statement[]): Promise<Answers> => {
    requireWhole()
    const sent = keepsStatements ? statements : statements.map((statement) => ({ ...statement, name: undefined }))
    return sendTogether(client, sent, answerTimeout)
  }

  const together = async (statements: readonly Statement[]): Promise<Answers> => {
    const commits = !isInTransaction
    const { answers, failure } = await send(statements)
    return { answers, ...(failure && { failure: { error: failureOf(failure.error, commits && !isNotDone(failure.error)) } }) }
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
    const both = together([beginning, statement])
    begun = both.then(({ answers, failure }) => {
      if (answers.length === 0) throw failure?.error
    })
    await begun
    const { answers, failure } = await both
    if (failure !== undefined) throw failure.error
    return answers[1] as Answer
  }

  const transact = async (statements: readonly Statement[]): Promise<readonly Answer[]> => {
    const { answers, failure } = await send([BEGIN, ...statements, COMMIT])
    // The commit may have arrived where the piece did not do so whole.
    const error = failure && failureOf(failure.error, !isEndedByServer(failure.error))
    // Once the server has said that it committed, nothing that happens to the connection undoes that.
    if (answers.length === statements.length + 2) return answers.slice(1, -1)
    if (!isBroken) await query('rollback', [], false)
    throw error
  }

  return {
    begin: async (as = 'read committed') => {
      isInTransaction = true
      failedWith = undefined
      beginning = as === 'snapshot' ? BEGIN_SNAPSHOT : BEGIN
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
      const statement = toStatement(compiled)
      if (statement.name !== undefined) return toResult<R>(await execute(statement))
      if (isInTransaction) {
        begun ??= query(beginning.text)
        await begun
      }
      return toResult<R>(await query(statement.text, statement.values))
    },
    sendTogether: together,
    transact: async (queries) => (await transact(queries.map(toStatement))).map(({ rowCount }) => rowCount),
    streamQuery: refuseToStream,
    release: () => {
      client.off('error', noteBreak)
      release({ isBroken, gotOn: gotOn && !isBroken })
    },
  }
}

/** Whatever goes wrong here, a refused password included, the database cannot be reached. */
const acquire = async (pool: Pool): Promise<Acquired> => {
  try {
    return await pool.acquire()
  } catch (error) {
    nameTimeout(error)
    throw new Unavailable(undefined, { cause: error })
  }
}
