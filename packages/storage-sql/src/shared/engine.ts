import type { HostClient } from '@countersign/core'
import type { Instant } from '@countersign/core/storage'
import type { CompiledQuery, Kysely } from 'kysely'
import type { Tables } from '../tables/index.ts'

export interface TransactionOptions {
  /** Removes the time limit of statements. By default an adapter may stop a statement after some seconds. */
  readonly mayTakeLong?: boolean
}

/** Builds statements on a database. No statement may depend on the answer to another one. */
export type Statements = (db: Kysely<Tables>) => readonly CompiledQuery[]

/** A prepared statement that writes the rows of one key. */
export interface BatchedWrite {
  readonly statement: (db: Kysely<Tables>) => CompiledQuery
  /** The writes of a batch run in the order of their keys, so that two batches cannot deadlock. */
  readonly key: string
}

/**
 * Runs a step of a migration in a transaction. Repeats the step if it must wait too long for a lock.
 *
 * @param options.indexesConcurrently Builds indexes without keeping other programs from the table, if the database can. The step
 *   then runs outside of a transaction.
 */
export type RunMigrationStep = <T>(
  step: (db: Kysely<Tables>) => Promise<T>,
  options?: { readonly indexesConcurrently: boolean },
) => Promise<T>

/**
 * An open database. A call rejects with `Unavailable` if the database is unreachable, locked for too long, full or broken;
 * otherwise with the driver's error.
 */
export interface Engine {
  /** Runs one statement that only reads. The statement sees committed rows. */
  read<T>(query: (db: Kysely<Tables>) => Promise<T>): Promise<T>
  /** Runs one atomic statement. Resolves when the statement is durable. */
  write<T>(statement: (db: Kysely<Tables>) => Promise<T>): Promise<T>
  /**
   * Runs one atomic statement that rarely waits for locks, and may commit it together with others, which a failure does not undo.
   * Resolves with the number of written rows.
   */
  writeBatched(write: BatchedWrite): Promise<number>
  /**
   * Runs `work` in a transaction, which is durable, or rolled back if `work` rejects. May run `work` again if the database asks.
   */
  transaction<T>(work: (db: Kysely<Tables>) => Promise<T>, options?: TransactionOptions): Promise<T>
  /**
   * Runs statements in order, in one transaction and as few round trips as possible; all again if the database asks. Each sees
   * what was committed before it began. Resolves with the number of rows that each statement wrote, meaningless for one that
   * reads.
   */
  batch(statements: Statements): Promise<readonly number[]>
  /**
   * Runs the steps of a migration while no other process migrates, without a time limit. `onWait` gets a sentence about the wait.
   */
  migration<T>(work: (runStep: RunMigrationStep) => Promise<T>, onWait?: (why: string) => void): Promise<T>
  /** Runs `work` on a connection that only reads one state; again, if the connection was lost. */
  snapshot<T>(work: (db: Kysely<Tables>) => Promise<T>, options?: TransactionOptions): Promise<T>
  /** Runs long work on a connection of its own. The work begins its transactions with the methods of Kysely. */
  longWork<T>(work: (db: Kysely<Tables>) => Promise<T>): Promise<T>
  /** True if every statement completes within its event-loop tick. Then a transaction must wait for nothing but its statements. */
  readonly isSynchronous: boolean
  /**
   * Returns a database on a client of the host, in its transaction. Missing if a database cannot share one. @throws TypeError for
   * another thing than a client inside a transaction
   */
  readonly onHostClient?: (client: HostClient) => Kysely<Tables>
  /** Rejects if the database does not answer, or answers in a way that the storage cannot use. */
  ping(): Promise<void>
  /** Rejects if a table is missing, or the user of the database cannot write one. */
  checkTables(): Promise<void>
  /** Rejects if the database accepts no writes; see `DatabaseControl.probeWrites`. */
  probeWrites(): Promise<void>
  /** Returns the time of the database's clock; see `DatabaseControl.time`. */
  readonly time?: () => Promise<Instant>
  close(): Promise<void>
}
