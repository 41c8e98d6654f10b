import { AsyncLocalStorage } from 'node:async_hooks'
import { clearImmediate, setImmediate } from 'node:timers'
import { type Instant, Unavailable } from '@countersign/core/storage'
import type { Kysely } from 'kysely'
import pLimit from 'p-limit'
import type { Tables } from '../tables/index.ts'
import type { CachedChange } from './change-feed.ts'
import type { Database, Query } from './database.ts'
import type { Engine } from './engine.ts'
import type { RowLocks } from './row-locks.ts'
import { rowsWritten, runInOrder } from './run-compiled.ts'

/** Limits concurrent snapshots: each occupies a connection while its work runs. */
const MAX_SNAPSHOTS = 2

interface OpenTransaction {
  isOpen: boolean
}

/** Returns the function that runs a query, or executes the statement that the query builds. */
const running =
  <T>(query: Query<T>) =>
  (db: Kysely<Tables>): Promise<T> => {
    const made = query(db)
    return 'execute' in made ? made.execute() : made
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
export const openDatabase = (
  engine: Engine,
  locks: RowLocks,
  onChanges: (changes: readonly CachedChange[]) => void,
): OpenDatabase => {
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
    locks,
    read: guarded((query) => engine.read(running(query))),
    snapshot: guarded((work) =>
      limitSnapshots(guarded(() => engine.snapshot((db) => work({ read: (query) => running(query)(db) })))),
    ),
    write: guarded((statement) => engine.write(running(statement))),
    writeBatched: guarded(({ key, statement }) => engine.writeBatched({ key, statement: (db) => statement(db, locks) })),
    batch: guarded((statements) => engine.batch((db) => statements.map((statement) => statement(db, locks)))),
    transaction: async (work, options) => {
      ensureUsable()
      const changes: CachedChange[] = []
      // An engine may run the work in the async context of another caller, so the context is bound here.
      const inOwnContext = AsyncLocalStorage.bind((db: Kysely<Tables>) => {
        const state = { isOpen: true }
        const note = (made: readonly CachedChange[]) => void changes.push(...made)
        return surrounding.run(state, () => runTransaction(engine, { db, locks, changed: note }, state, work))
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

interface Parts extends Pick<Database, 'locks' | 'changed'> {
  readonly db: Kysely<Tables>
}

const runTransaction = async <T>(
  engine: Pick<Engine, 'isSynchronous'>,
  parts: Parts,
  state: OpenTransaction,
  work: (tx: Database) => Promise<T>,
): Promise<T> => {
  const unfinished = new Set<Promise<unknown>>()
  let failure: { readonly error: unknown } | undefined

  /** Runs a statement. If the statement fails, the transaction fails too, even if `work` ignores the error, as in PostgreSQL. */
  const runPart = async <R>(start: () => Promise<R>): Promise<R> => {
    if (!state.isOpen) throw new Error('This transaction has ended')
    if (failure !== undefined) throw failure.error
    const result = start()
    unfinished.add(result)
    try {
      return await result
    } catch (error) {
      failure ??= { error }
      throw error
    } finally {
      unfinished.delete(result)
    }
  }

  const tx = transactionOn(parts, runPart)

  try {
    const result = await (engine.isSynchronous ? withinThisTick(work(tx)) : work(tx))
    if (unfinished.size > 0) throw new Error('A transaction ended while a statement of it was running')
    if (failure !== undefined) throw failure.error
    return result
  } finally {
    state.isOpen = false
    await Promise.allSettled(unfinished)
  }
}

/** Returns the database inside a transaction. @param run Runs a statement, or a part of the transaction. */
const transactionOn = ({ db, locks, changed }: Parts, run: <R>(start: () => Promise<R>) => Promise<R>): Database => {
  const tx: Database = {
    locks,
    read: (query) => run(() => running(query)(db)),
    snapshot: (work) => work(tx),
    write: (statement) => run(() => running(statement)(db)),
    writeBatched: ({ statement }) => run(() => rowsWritten(db, statement(db, locks))),
    batch: (statements) => run(() => runInOrder(db, () => statements.map((statement) => statement(db, locks)))),
    transaction: (work) => run(() => work(tx)),
    changed,
  }
  return tx
}

/**
 * Returns the stores' database inside a transaction of the host. The change feed reports what is committed, because this process
 * does not learn of the commit.
 */
export const hostTransaction = (db: Kysely<Tables>, locks: RowLocks): Database =>
  transactionOn({ db, locks, changed: () => {} }, (start) => start())

/** Rejects if the promise is still pending at the next immediate: synchronous statements resolve before. */
const withinThisTick = <T>(result: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const late = setImmediate(() => reject(new Error('A transaction waited for something else than its own statements')))
    result.then(resolve, reject).finally(() => clearImmediate(late))
  })
