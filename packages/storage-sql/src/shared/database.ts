import { AsyncLocalStorage } from 'node:async_hooks'
import { clearImmediate, setImmediate } from 'node:timers'
import { type Instant, Unavailable } from '@countersign/core/storage'
import { type DeleteResult, type Kysely, type SelectQueryBuilder, sql, type UpdateResult } from 'kysely'
import pLimit from 'p-limit'
import type { Tables } from '../tables/index.ts'
import type { CachedChange } from './change-feed.ts'
import type { BatchedWrite, Engine, Statements, TransactionOptions } from './engine.ts'
import { rowsWritten, runInOrder } from './run-compiled.ts'

export type Query<T> = (db: Kysely<Tables>) => Promise<T>

/** A source of reads: a database, a transaction or a snapshot. */
export interface Readable {
  /** Reads committed rows. Inside a transaction, also reads the transaction's own writes. */
  read<T>(query: Query<T>): Promise<T>
}

/** The database that the stores use: the whole database, or one transaction. */
export interface Database extends Readable {
  /**
   * Reads one state of the database. Costs more than `read`, and only a few run at once. In a transaction, reads the transaction.
   */
  snapshot<T>(work: (snapshot: Readable) => Promise<T>): Promise<T>
  /** Runs one atomic statement. Resolves when the statement is durable. Inside a transaction, runs as a part of it. */
  write<T>(statement: Query<T>): Promise<T>
  /** Runs a prepared statement that may share its commit with others; see `Engine.writeBatched`. */
  writeBatched(write: BatchedWrite): Promise<number>
  /** Runs several statements in one transaction. Inside a transaction, runs as a part of it. */
  transaction<T>(work: (tx: Database) => Promise<T>, options?: TransactionOptions): Promise<T>
  /** Runs statements in one transaction and one round trip; see `Engine.batch`. Inside a transaction, runs as a part of it. */
  batch(statements: Statements): Promise<readonly number[]>
  /** Reports changes to this process when the transaction ends, also if the transaction fails. */
  changed(changes: readonly CachedChange[]): void
}

/** Limits concurrent snapshots: each occupies a connection while its work runs. */
const MAX_SNAPSHOTS = 2

interface OpenTransaction {
  isOpen: boolean
}

export interface OpenDatabase extends Database {
  /** Returns the same database, with its checks of misuse, on another engine. */
  on(engine: Engine): Database
  /** Throws if the database is closed, or if the call comes from inside one of its transactions. */
  ensureUsable(): void
  ping(): Promise<void>
  probeWrites(): Promise<void>
  /** Missing if the database shares the clock of this machine. */
  readonly time: (() => Promise<Instant>) | undefined
  close(): Promise<void>
}

/**
 * Opens the database of an engine. Throws on misuse that would deadlock or escape from a transaction:
 *
 * - the database itself is used inside one of its transactions
 * - a transaction is used after its end, or ends before its statements
 * - a transaction waits for something else than its statements, while all transactions share one connection
 *
 * @param onChanges Receives the changes of a transaction before the transaction's caller gets an answer. A failed transaction
 *   reports its changes too: if the answer to the commit was lost, the transaction may have been committed.
 */
export const openDatabase = (engine: Engine, onChanges: (changes: readonly CachedChange[]) => void): OpenDatabase => {
  const { time } = engine
  const surrounding = new AsyncLocalStorage<OpenTransaction>()
  const limitSnapshots = pLimit(MAX_SNAPSHOTS)
  let isClosed = false

  const ensureUsable = (): void => {
    if (surrounding.getStore()?.isOpen) throw new Error('Inside a transaction only its `tx` may be used, not the storage itself')
    if (isClosed) throw new Unavailable('The database is closed', { reason: 'database_closed' })
  }

  const guarded =
    <G extends readonly unknown[], R>(call: (...given: G) => Promise<R>) =>
    async (...given: G): Promise<R> => {
      ensureUsable()
      return call(...given)
    }

  const on = (engine: Engine): Database => ({
    read: guarded(engine.read),
    snapshot: guarded((work) => limitSnapshots(guarded(() => engine.snapshot((db) => work({ read: (query) => query(db) }))))),
    write: guarded(engine.write),
    writeBatched: guarded(engine.writeBatched),
    batch: guarded(engine.batch),
    transaction: async (work, options) => {
      ensureUsable()
      const changes: CachedChange[] = []
      // An engine may run the work in the async context of another caller, so the context is bound here.
      const inOwnContext = AsyncLocalStorage.bind((db: Kysely<Tables>) => {
        const state = { isOpen: true }
        const note = (made: readonly CachedChange[]) => void changes.push(...made)
        return surrounding.run(state, () => runTransaction(engine, db, state, note, work))
      })
      try {
        return await engine.transaction(inOwnContext, options)
      } finally {
        if (changes.length > 0) onChanges(changes)
      }
    },
    changed: onChanges,
  })

  return {
    ...on(engine),
    on,
    ensureUsable,
    ping: guarded(async () => {
      await engine.ping()
      await engine.checkTables()
    }),
    probeWrites: guarded(engine.probeWrites),
    time: time && guarded(time),
    close: async () => {
      if (isClosed) return
      isClosed = true
      await engine.close()
    },
  }
}

const runTransaction = async <T>(
  engine: Pick<Engine, 'isSynchronous'>,
  db: Kysely<Tables>,
  state: OpenTransaction,
  changed: Database['changed'],
  work: (tx: Database) => Promise<T>,
): Promise<T> => {
  const running = new Set<Promise<unknown>>()
  let failure: { readonly error: unknown } | undefined

  /** Runs a statement. If the statement fails, the transaction fails too, even if `work` ignores the error, as in PostgreSQL. */
  const runPart = async <R>(start: () => Promise<R>): Promise<R> => {
    if (!state.isOpen) throw new Error('This transaction has ended')
    if (failure !== undefined) throw failure.error
    const result = start()
    running.add(result)
    try {
      return await result
    } catch (error) {
      failure ??= { error }
      throw error
    } finally {
      running.delete(result)
    }
  }

  const tx = transactionOn(db, runPart, changed)

  try {
    const result = await (engine.isSynchronous ? withinThisTick(work(tx)) : work(tx))
    if (running.size > 0) throw new Error('A transaction ended while a statement of it was running')
    if (failure !== undefined) throw failure.error
    return result
  } finally {
    state.isOpen = false
    await Promise.allSettled(running)
  }
}

/** Returns the database inside a transaction. @param run Runs a statement, or a part of the transaction. */
const transactionOn = (
  db: Kysely<Tables>,
  run: <R>(start: () => Promise<R>) => Promise<R>,
  changed: Database['changed'],
): Database => {
  const tx: Database = {
    read: (query) => run(() => query(db)),
    snapshot: (work) => work(tx),
    write: (statement) => run(() => statement(db)),
    writeBatched: ({ statement }) => run(() => rowsWritten(db, statement(db))),
    batch: (statements) => run(() => runInOrder(db, statements)),
    transaction: (work) => run(() => work(tx)),
    changed,
  }
  return tx
}

/**
 * Returns the stores' database inside a transaction of the host. The change feed reports what is committed, because this process
 * does not learn of the commit.
 */
export const hostTransaction = (db: Kysely<Tables>): Database =>
  transactionOn(
    db,
    (start) => start(),
    () => {},
  )

/** Rejects if the promise is still pending at the next immediate: synchronous statements resolve before. */
const withinThisTick = <T>(result: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const late = setImmediate(() => reject(new Error('A transaction waited for something else than its own statements')))
    result.then(resolve, reject).finally(() => clearImmediate(late))
  })

/** Reads the first row, if there is one, as a record. */
export const readFirst = async <R, T>(database: Readable, toRecord: (row: R) => T, query: Query<R | undefined>) => {
  const row = await database.read(query)
  return row && toRecord(row)
}

/** Reads all rows as records. */
export const readAll = async <R, T>(database: Readable, toRecord: (row: R) => T, query: Query<readonly R[]>) =>
  (await database.read(query)).map((row) => toRecord(row))

/** Returns whether a query finds a row. */
export const finds = async (database: Readable, query: Query<unknown>): Promise<boolean> =>
  (await database.read(query)) !== undefined

/** Returns the number of rows that a query selects. */
export const countOf = async (
  database: Readable,
  rows: (db: Kysely<Tables>) => SelectQueryBuilder<Tables, never, object>,
): Promise<number> => {
  const counted = sql<number>`count(*)`.as('count')
  const { count } = await database.read((db) => rows(db).select(counted).executeTakeFirstOrThrow())
  return Number(count)
}

type Writing = (db: Kysely<Tables>) => { executeTakeFirstOrThrow(): Promise<UpdateResult | DeleteResult> }

/** Runs an update or a deletion. Returns the number of rows that it changed. */
export const countWritten = async (database: Database, statement: Writing): Promise<number> => {
  const result = await database.write((db) => statement(db).executeTakeFirstOrThrow())
  return Number('numUpdatedRows' in result ? result.numUpdatedRows : result.numDeletedRows)
}

/** Runs an update or a deletion. Returns whether it changed a row. */
export const didWrite = async (database: Database, statement: Writing): Promise<boolean> =>
  (await countWritten(database, statement)) > 0
