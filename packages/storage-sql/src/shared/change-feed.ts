import type { CachedKind, ChangeKind } from '../tables/index.ts'

/** A committed change that may make a cached session status wrong, or that live streams report. */
export interface Change<Kind extends ChangeKind = ChangeKind> {
  readonly kind: Kind
  readonly subject: string
}

/** A change that may make a cached session status wrong. */
export type CachedChange = Change<CachedKind>

/**
 * The changes that were committed since the last poll.
 *
 * - `unknown`: changes may be missing, for example at the first poll. The whole cache is invalid.
 * - `unsure`: the changes are not known yet. The cache must not be used now, but a later poll returns every change.
 */
export type PolledChanges<C extends Change = Change> = readonly C[] | 'unknown' | 'unsure'

/**
 * Reports the changes of every process on the database. `storage-sqlite/src/change-feed.ts` and
 * `storage-postgres/src/changes/change-feed.ts` implement the port; the session cache (`identity/session-status/`) reads it.
 */
export interface ChangeFeed {
  /**
   * Returns the changes since the last call. A cached value that no change names was still right at this call, or less than a
   * second before the call if the database is reached over a network.
   */
  poll(): PolledChanges
  /**
   * Wakes the other processes after a commit with changes. Without it, they notice the changes a little later. Absent if every
   * poll sees every commit.
   */
  announce?(): void
  /** Sets whether live streams wait for changes, so that a feed that reads over a network reads more often. */
  watched?(isWatched: boolean): void
}
