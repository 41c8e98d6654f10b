import type { RawBuilder, SelectQueryBuilder } from 'kysely'

/** Adds a lock on the selected rows. The lock lasts until the transaction ends. */
export type RowLock = <DB, TB extends keyof DB, O>(query: SelectQueryBuilder<DB, TB, O>) => SelectQueryBuilder<DB, TB, O>

export interface RowLocks {
  /** Prevents other transactions from changing the rows, and from locking them for a change. */
  readonly lockForShare: RowLock
  /** Keeps other transactions from changing the rows, and from locking them in any way. */
  readonly lockForUpdate: RowLock
  /** Locks the rows as `lockForUpdate` does, and leaves out the rows that another transaction has locked. Never waits. */
  readonly lockUnlessLocked: RowLock
  /** Waits until no other transaction has locked the name, and locks it. Missing if transactions run one after another. */
  readonly lockName?: (name: RawBuilder<unknown>) => RawBuilder<unknown>
}
