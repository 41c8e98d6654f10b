import type { WatchChanges } from './approvals/records/live-change.ts'
import type { ApprovalStores, WithinHostTransactions } from './approvals/stores.ts'
import type { IdentityStores } from './identity/stores.ts'
import type { SealedTexts } from './operations/sealed-fields/sealed-fields.ts'
import type { Part } from './parts.ts'
import type { ProjectStores } from './projects/stores.ts'
import type { OnSwept, SweepLimits, SweptRows } from './retention.ts'
import type { Instant } from './shared/clock.ts'
import type { DataMoveOptions, DataSource, MovedTable } from './shared/data-moves/data-move.ts'
import type { StorageStatistics } from './shared/observed-storage.ts'
import type { Transactional } from './shared/transactional.ts'

/** One store for each aggregate. Each method of a store documents its guarantees under concurrency. */
export interface Stores extends IdentityStores, ApprovalStores {
  /** Missing if the host does not use the part `projects`. */
  readonly projects?: ProjectStores
}

/** The times that decide what of a restored backup is usable. */
export interface RecoveryTimes {
  readonly now: Instant
  /** No approval of an older confirmation could be used at the backup or later. */
  readonly createdSince: Instant
}

/** The number of rows of each kind that somebody may have used after a backup, and could use again once it is restored. */
export type RecoveredRows = Readonly<
  Record<'sessions' | 'approvalRequests' | 'pendingConfirmations' | 'approvals' | 'oneTimeCodes' | 'challenges', number>
>

/** The operations on a database that belong to no store. */
export interface DatabaseControl extends WithinHostTransactions {
  /** Reports committed changes, for live streams. */
  readonly watchChanges: WatchChanges
  /** Resolves if the database answers, has all tables, and lets its user write them. */
  ping(): Promise<void>
  /**
   * Resolves if the database made a small write durable, as its next write would be. Changes no data. Uses at most one connection,
   * which no other call needs; calls at the same time share one probe. May take long if the database hangs: the caller sets the
   * time limit.
   */
  probeWrites(): Promise<void>
  /**
   * Deletes every row that no rule needs after `now`, and the finished records older than `limits`. Runs in bounded steps. Returns
   * the number of deleted rows of each kind. Calls `onSwept` after each step, so that an interrupted sweep can say what it did.
   *
   * - A finished record never becomes usable again: a confirmation is deleted before the vouching and the request it belongs to.
   * - A confirmation stays while its approval request is open. A vouching stays while its confirmation, device or passkey stays.
   */
  sweep(now: Instant, limits?: SweepLimits, onSwept?: OnSwept): Promise<SweptRows>
  /**
   * Counts the rows that `sweep` would delete, and deletes nothing. A row that stays only because of another row may be missing
   * from the count.
   */
  sweepable(now: Instant, limits?: SweepLimits): Promise<SweptRows>
  /**
   * Voids what a restored backup made usable again, in one transaction. Returns the number of rows of each kind.
   *
   * - Every live session ends as `revoked`.
   * - Every open approval request and every pending confirmation is rejected.
   * - Every approval that nobody has consumed is voided, if its confirmation is no older than `createdSince` or belongs to an open
   *   approval request.
   * - Every one-time code and every challenge is deleted.
   */
  recover(times: RecoveryTimes): Promise<RecoveredRows>
  /** Counts what `recover` would void. Changes nothing. */
  recoverable(times: RecoveryTimes): Promise<RecoveredRows>
  /**
   * Returns the time of the database's clock, as a whole number of milliseconds. Missing if the database shares the clock of
   * this machine.
   */
  readonly time?: () => Promise<Instant>
  close(): Promise<void>
}

/**
 * A database. A write method resolves once the write is durable. Every method rejects with `Unavailable` if the database is
 * unreachable, full, or locked for too long.
 */
export type Storage = Transactional<Stores> & DatabaseControl

/** The stores of all parts. */
export interface AllStores extends Stores {
  readonly projects: ProjectStores
}

/** A database with the stores of all parts. */
export type FullStorage = Transactional<AllStores> & DatabaseControl

/** A schema that migrations create and upgrade. */
export interface MigratedDatabase extends DataSource {
  /** The parts whose tables this storage reads and migrates. */
  readonly parts: readonly Part[]
  /**
   * Returns the parts that have tables in this schema or with this prefix; none for an empty database. `elsewhere` has the schemas,
   * or the prefixes of tables, of other installations in the database.
   */
  installation(): Promise<{ readonly parts: readonly Part[]; readonly elsewhere: readonly string[] }>
  /** The stored texts with encrypted fields, for `rotateSealedFields`. */
  readonly sealedTexts: SealedTexts
  /** Returns figures for metrics. Sends no query. */
  statistics(): StorageStatistics
  /**
   * Applies the pending migrations under a lock, and returns their names. A failing migration is rolled back.
   *
   * @param options.onWait Is called with a sentence that names the database process for which the migration waits.
   */
  migrate(options?: { readonly onWait?: ((why: string) => void) | undefined }): Promise<readonly string[]>
  /**
   * Returns the names of migrations: applied, pending, and `newer`. `newer` migrations were applied by a newer program; the
   * database can be used all the same.
   */
  migrationStatus(): Promise<{
    readonly applied: readonly string[]
    readonly pending: readonly string[]
    readonly newer: readonly string[]
    /** Tables of other programs in the place of our tables. Empty if a newer version has migrated, whose tables are not known. */
    readonly foreignTables: readonly string[]
  }>
  /**
   * Copies all rows of another database into this empty database in one transaction, and compares the number of rows and a digest
   * of each table. Upgrades the schema first if the two schemas fit. If the move is interrupted or fails, this database stays
   * empty. Of several concurrent calls, one copies and the others are refused.
   *
   * Resolves with the row count of each table, once the copy is durable and equal to the source.
   *
   * @throws DataMoveRefused if the schemas do not fit, both databases are the same, or this database has other data
   * @throws DataMoveDiffers if the copy differs from the source, or the source was written to during the copy
   */
  takeOver(source: DataSource, options?: DataMoveOptions): Promise<readonly MovedTable[]>
}

/** A database with the stores of all parts, and a schema that migrations create and upgrade. */
export interface MigratedStorage extends FullStorage, MigratedDatabase {}

/** A database that was opened for these parts. The stores of projects are missing without the part. */
export type StorageOf<P extends Part> = 'projects' extends P ? MigratedStorage : Storage & MigratedDatabase
