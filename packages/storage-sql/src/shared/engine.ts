import type { CompiledQuery, Kysely } from 'kysely'
import type { Tables } from './tables.ts'

export interface TransactionOptions {
  /** Whether its statements may take as long as they need; otherwise an adapter may give them up after seconds. */
  readonly mayTakeLong?: boolean
}

/** Statements that are built on a database, none of which depends on what another answers. */
export type Statements = (db: Kysely<Tables>) => readonly CompiledQuery[]

/** A statement that is kept, and writes what it finds by one key. */
export interface BatchedWrite {
  readonly statement: (db: Kysely<Tables>) => CompiledQuery
  /** Those of one transaction are run in the order of their keys, so that no two transactions wait for each other. */
  readonly key: string
}

/**
 * An open database, as an adapter gives it. Whatever rejects because the database is away, locked for too long, full or
 * broken rejects with the core's `Unavailable`; every other error comes as the driver threw it.
 */
export interface Engine {
  /** Runs one statement that only reads. It sees what is committed. */
  read<T>(query: (db: Kysely<Tables>) => Promise<T>): Promise<T>
  /** Runs one statement on its own: atomic, and durable once resolved. */
  write<T>(statement: (db: Kysely<Tables>) => Promise<T>): Promise<T>
  /**
   * The same for a statement that hardly ever has to wait: it may share its transaction, and so its wait for the disk, with
   * others that are asked for meanwhile. Where one of them fails, the others are done all the same. Resolves with how many
   * rows it wrote.
   */
  writeBatched(write: BatchedWrite): Promise<number>
  /**
   * Runs `work` in a transaction that is durable once resolved; where `work` rejects, nothing of it happened. May run
   * `work` again where the database asks for it.
   */
  transaction<T>(work: (db: Kysely<Tables>) => Promise<T>, options?: TransactionOptions): Promise<T>
  /**
   * Runs statements one after the other in a transaction that is durable once resolved, in as few steps as the database can
   * do it; where one fails, nothing of them happened. Each sees what was committed before it began. May run all of them again
   * where the database asks for it. Resolves with how many rows each wrote; that of one which only reads means nothing.
   */
  batch(statements: Statements): Promise<readonly number[]>
  /** Hands over a database on which Kysely's migrator works under a lock and undoes what fails. It may take long. */
  migration<T>(work: (db: Kysely<Tables>) => Promise<T>): Promise<T>
  /**
   * Hands over a database of one connection that only reads, and sees all the time what was committed when it first read.
   * May run `work` again where the connection was lost.
   */
  snapshot<T>(work: (db: Kysely<Tables>) => Promise<T>, options?: TransactionOptions): Promise<T>
  /**
   * Hands over a database of one connection, for work that writes much and takes long: with transactions of Kysely's own,
   * beside those of everyone else.
   */
  longWork<T>(work: (db: Kysely<Tables>) => Promise<T>): Promise<T>
  /**
   * Whether every statement completes within the turn of the event loop that started it. Work that takes longer than
   * its turn then waits for something else, while everybody waits for it.
   */
  readonly isSynchronous: boolean
  /** Rejects where the database does not answer. */
  ping(): Promise<void>
  close(): Promise<void>
}
