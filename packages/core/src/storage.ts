import type { ApprovalStores } from './approvals/stores.ts'
import type { IdentityStores } from './identity/stores.ts'
import type { ProjectStores } from './projects/stores.ts'
import type { Instant } from './shared/clock.ts'
import type { DataMoveOptions, DataSource, MovedTable } from './shared/data-moves/data-move.ts'
import type { Transactional } from './shared/transactional.ts'

/** One small store for each aggregate. The methods of a store say what they promise under concurrency. */
export interface Stores extends IdentityStores, ApprovalStores {
  /** Left out by a host that does not use the part `projects`. */
  readonly projects?: ProjectStores
}

/** A database, apart from its stores. */
export interface DatabaseControl {
  /** Resolves where the database answers. */
  ping(): Promise<void>
  /** Deletes everything that no rule needs any more as of `now`, in bounded steps. Resolves with the number of rows. */
  sweep(now: Instant): Promise<number>
  close(): Promise<void>
}

/**
 * A database. Every method that writes resolves once the write is durable. A database that is away, locked for too
 * long or full makes any method reject with `Unavailable`.
 */
export type Storage = Transactional<Stores> & DatabaseControl

/** The stores of all parts. */
export interface AllStores extends Stores {
  readonly projects: ProjectStores
}

/** A database with the stores of all parts. */
export type FullStorage = Transactional<AllStores> & DatabaseControl

/** A database whose schema is kept by migrations. */
export interface MigratedStorage extends FullStorage, DataSource {
  /**
   * Applies what is pending, under a lock; returns the names applied. A failing migration leaves nothing behind.
   *
   * @throws DataMoveUnfinished where a move into this database is under way or was broken off
   */
  migrate(): Promise<readonly string[]>
  /**
   * Names of the migrations that this program knows, by whether they are applied, and of those that a newer program applied:
   * they are left alone, and the database may be used.
   *
   * @throws DataMoveUnfinished as `migrate` does
   */
  migrationStatus(): Promise<{
    readonly applied: readonly string[]
    readonly pending: readonly string[]
    readonly newer: readonly string[]
  }>
  /**
   * Copies everything out of another database into this one, which must hold nothing yet, brings its schema up to date
   * before where the two fit, and compares both afterwards, row by row. Broken off, it leaves a database that refuses to be used, and goes on
   * where it was when called again; begins anew where the source has changed what was copied already. Called again on what
   * is copied, it compares only. Several at once never write anything twice: all but one are refused.
   *
   * Resolves with each table and the number of its rows, once all of it is durable and found to be the same.
   *
   * @throws DataMoveRefused where the databases do not fit or are one and the same, or this one holds something else
   * @throws DataMoveDiffers where the copy is not what the source holds, or that was written to meanwhile
   */
  takeOver(source: DataSource, options?: DataMoveOptions): Promise<readonly MovedTable[]>
}
