import type { ChangeKind } from './tables.ts'

/** That something changed which a remembered standing may rest on. */
export interface Change {
  readonly kind: ChangeKind
  readonly subject: string
}

/**
 * What was committed since the last call. `unknown` where something may have been missed, on the first call among others:
 * whatever was read before is of no more use. `unsure` where it cannot be told now but will be told later, in full: what
 * was read before may not be relied on at this moment.
 */
export type PolledChanges = readonly Change[] | 'unknown' | 'unsure'

/** Tells this process what every process on the database changed. */
export interface ChangeFeed {
  /**
   * Whatever was read before a call, and is not named by it, was still so at the call; or, where others write over a
   * network, less than a second before it.
   */
  poll(): PolledChanges
}
