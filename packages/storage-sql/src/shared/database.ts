import { AsyncLocalStorage } from 'node:async_hooks'
import { clearImmediate, setImmediate } from 'node:timers'
import { Unavailable } from '@countersign/core/storage'
import type { Kysely } from 'kysely'
import pLimit from 'p-limit'
import type { Change } from './change-feed.ts'
import type { BatchedWrite, Engine, Statements, TransactionOptions } from './engine.ts'
import { rowsWritten } from './run-compiled.ts'
import { runInOrder } from './run-in-order.ts'
import type { Tables } from './tables.ts'

export type Query<T> = (db: Kysely<Tables>) => Promise<T>

/** What can be read of: a database, a transaction, a snapshot. */
export interface Readable {
  /** Sees what is committed, or, in a transaction, what that has done. */
  read<T>(query: Query<T>): Promise<T>
}

/** What the stores work on: a database, or one transaction of it. */
export interface Database extends Readable {
  /**
   * Reads one state of all that is committed, however much is committed meanwhile. Dearer than `read`, and only so many of
   * them go on at a time. A transaction reads itself.
   */
  snapshot<T>(work: (snapshot: Readable) => Promise<T>): Promise<T>
  /** Runs one statement: atomic, and durable once resolved. In a transaction, a part of that. */
  write<T>(statement: Query<T>): Promise<T>
  /**
   * The same for a kept statement that writes what it finds by a key, and hardly ever has to wait for it: it may be committed
   * together with others of that kind. Tells how many rows it wrote.
   */
  writeBatched(write: BatchedWrite): Promise<number>
  /** Runs several statements, as one. In a transaction, a part of that. */
  transaction<T>(work: (tx: Database) => Promise<T>, options?: TransactionOptions): Promise<T>
  /**
   * Runs statements in their order, as one, none of which depends on what another answers; tells how many rows each wrote.
   * Where a database is far away, that takes one round trip in all. In a transaction, a part of that.
   */
  batch(statements: Statements): Promise<readonly number[]>
  /** Has this process hear of changes as soon as the transaction has ended that makes them, however it ends. */
  changed(changes: readonly Change[]): void
}

/** Each has a connection to itself for as long as its work takes, so others may not be left without. */
const SNAPSHOTS_AT_ONCE = 2

interface OpenTransaction {
  isOpen: boolean
}

export interface OpenDatabase extends Database {
  /** Throws where the database may not be used now: it is closed, or this is inside one of its transactions. */
  ensureUsable(): void
  ping(): Promise<void>
  close(): Promise<void>
}

/**
 * The database of an engine. Misuse that would deadlock, or escape from a transaction, throws instead: the database
 * itself used inside one of its transactions, a transaction used after its end, one that ends before its statements, and,
 * where all transactions share one connection, one that waits for something else than its statements.
 *
 * @param onChanges Called with what a transaction said that it changed, before its caller has an answer. A transaction that
 * failed may say so too: where the answer to a commit was lost, nobody knows what became of it.
 */
export const openDatabase = (engine: Engine, onChanges: (changes: readonly Change[]) => void): OpenDatabase => {
  const surrounding = new AsyncLocalStorage<OpenTransaction>()
  const inTurn = pLimit(SNAPSHOTS_AT_ONCE)
  let isClosed = false

  const ensureUsable = (): void => {
    if (surrounding.getStore()?.isOpen) throw new Error('Inside a transaction only its `tx` may be used, not the storage itself')
    if (isClosed) throw new Unavailable('The database is closed')
  }

  return {
    ensureUsable,
    read: async (query) => {
      ensureUsable()
      return engine.read(query)
    },
    snapshot: async (work) => {
      ensureUsable()
      return inTurn(() => {
        ensureUsable()
        return engine.snapshot((db) => work({ read: (query) => query(db) }))
      })
    },
    write: async (statement) => {
      ensureUsable()
      return engine.write(statement)
    },
    writeBatched: async (write) => {
      ensureUsable()
      return engine.writeBatched(write)
    },
    batch: async (statements) => {
      ensureUsable()
      return engine.batch(statements)
    },
    transaction: async (work, options) => {
      ensureUsable()
      const changes: Change[] = []
      // Bound, as an engine may run the work when another caller's turn has come to an end.
      const inOwnContext = AsyncLocalStorage.bind((db: Kysely<Tables>) => {
        const state = { isOpen: true }
        const note = (made: readonly Change[]) => void changes.push(...made)
        return surrounding.run(state, () => runTransaction(engine, db, state, note, work))
      })
      try {
        return await engine.transaction(inOwnContext, options)
      } finally {
        if (changes.length > 0) onChanges(changes)
      }
    },
    changed: onChanges,
    ping: async () => {
      ensureUsable()
      await engine.ping()
    },
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

  /** What failed inside fails the transaction, also where `work` goes on: PostgreSQL would not commit it either. */
  const part = async <R>(start: () => Promise<R>): Promise<R> => {
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

  const tx: Database = {
    read: (query) => part(() => query(db)),
    snapshot: (inner) => inner(tx),
    write: (statement) => part(() => statement(db)),
    writeBatched: ({ statement }) => part(() => rowsWritten(db, statement(db))),
    batch: (statements) => part(() => runInOrder(db, statements)),
    transaction: async (inner) => {
      try {
        return await inner(tx)
      } catch (error) {
        failure ??= { error }
        throw error
      }
    },
    changed,
  }

  try {
    const result = await (engine.isSynchronous ? withinThisTurn(work(tx)) : work(tx))
    if (running.size > 0) throw new Error('A transaction ended while a statement of it was running')
    if (failure !== undefined) throw failure.error
    return result
  } finally {
    state.isOpen = false
    await Promise.allSettled(running)
  }
}

/** Node runs whatever answers at once before it turns to the next immediate. */
const withinThisTurn = <T>(result: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const late = setImmediate(() => reject(new Error('A transaction waited for something else than its own statements')))
    result.then(resolve, reject).finally(() => clearImmediate(late))
  })
