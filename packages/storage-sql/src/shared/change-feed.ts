import type { CachedKind, ChangeKind } from '../tables/index.ts'

/** A committed change that may make a cached session status wrong, or that live streams report. */
export interface Change<Kind extends ChangeKind = ChangeKind> {
  readonly kind: Kind
  readonly subject: string
}

export type CachedChange = Change<CachedKind>

/** The greatest number of changes that are reported one by one. With more, clearing the cache is cheaper. */
export const MAX_REPORTED = 1000

/**
 * The changes that were committed since the last poll.
 *
 * - `unknown`: changes may be missing, for example at the first poll. The whole cache is invalid.
 * - `unsure`: the changes are not known yet. The cache must not be used now, but a later poll returns every change.
 */
export type PolledChanges<C extends Change = Change> = readonly C[] | 'unknown' | 'unsure'

/** Reports the changes of every process on the database. Each adapter implements the port; the session cache reads it. */
export interface ChangeFeed {
  /** Returns the changes since the last call. Over a network, a change may be reported up to a second late. */
  poll(): PolledChanges
  /** Wakes the other processes after a commit. Absent if every poll sees every commit; without it, others notice a little later. */
  announce?(): void
  /** Sets whether live streams wait for changes, so that a feed that reads over a network reads more often. */
  watched?(isWatched: boolean): void
}
