import type { Instant } from './clock.ts'

/** The kinds of rows of a restored backup that somebody may have used after the backup, and could use again. */
export const recoveredKinds = [
  'sessions',
  'approvalRequests',
  'pendingConfirmations',
  'approvals',
  'oneTimeCodes',
  'challenges',
] as const

/** The number of rows of each kind. */
export type RecoveredRows = Readonly<Record<(typeof recoveredKinds)[number], number>>

/** The times that decide what of a restored backup is usable. */
export interface RecoveryTimes {
  readonly now: Instant
  /** No approval of an older confirmation could be used at the backup or later. */
  readonly createdSince: Instant
}
