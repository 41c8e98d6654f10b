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
 * An open database, as an adapter implements it. A call rejects with the core's `Unavailable` if the database is unreachable,
 * locked for too long, full or broken. Any other error is the driver's own.
 */
export interface Engine {
  /** Runs one statement that only reads. The statement sees committed rows. */
  read<T>(query: (db: Kysely<Tables>) => Promise<T>): Promise<T>
  /** Runs one atomic statement. Resolves when the statement is durable. */
  write<T>(statement: (db: Kysely<Tables>) => Promise<T>): Promise<T>
  /**
   * Runs one atomic statement, and may commit it together with others of the same moment. A failure of one statement does not
   * undo the others. Only for statements that rarely wait for locks. Resolves with the number of written rows.
   */
  writeBatched(write: BatchedWrite): Promise<number>
  /**
   * Runs `work` in a transaction. Resolves when the transaction is durable. If `work` rejects, the transaction is rolled back.
   * May run `work` again if the database asks for a retry.
   */
  transaction<T>(work: (db: Kysely<Tables>) => Promise<T>, options?: TransactionOptions): Promise<T>
  /**
   * Runs statements in order, in one transaction and as few round trips as possible. If one fails, all are rolled back. Each
   * statement sees what was committed before the statement began. May run all of them again if the database asks for a retry.
   * Resolves with the number of rows that each statement wrote; the number has no meaning for a statement that only reads.
   */
  batch(statements: Statements): Promise<readonly number[]>
  /**
   * Runs the steps of a migration while no other process migrates, without a time limit.
   *
   * @param onWait Is called with a sentence that says which process a step waits for.
   */
  migration<T>(work: (runStep: RunMigrationStep) => Promise<T>, onWait?: (why: string) => void): Promise<T>
  /**
   * Runs `work` on a connection that only reads. Every statement sees what was committed before the first statement. May run `work`
   * again if the connection was lost.
   */
  snapshot<T>(work: (db: Kysely<Tables>) => Promise<T>, options?: TransactionOptions): Promise<T>
  /** Runs long work on a connection of its own. The work begins its transactions with the methods of Kysely. */
  longWork<T>(work: (db: Kysely<Tables>) => Promise<T>): Promise<T>
  /**
   * True if every statement completes within the event-loop tick that started the statement. Then all transactions share one
   * connection, and a transaction must wait for nothing but its own statements.
   */
  readonly isSynchronous: boolean
  /**
   * Returns a database whose statements run on a client of the host, in the transaction of the host. Missing if a database
   * cannot share a transaction with its host. @throws TypeError for another thing than a client inside a transaction
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
