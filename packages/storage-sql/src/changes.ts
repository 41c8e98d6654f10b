import type { Instant } from '@countersign/core'
import type { Database } from './database.ts'
import type { ChangeKind } from './tables.ts'

/** That something changed which a remembered standing may rest on. */
export interface Change {
  readonly kind: ChangeKind
  readonly subject: string
}

/** Tells this process what every process on the database changed. */
export interface ChangeFeed {
  /**
   * What was committed since the last call, this process's own included; `unknown` where it cannot tell, on the first
   * call among others. Whatever was read before a call, and is not named by it, was still so at the call.
   */
  poll(): readonly Change[] | 'unknown'
}

/** Tells every process on the database. Belongs into the transaction of the changes themselves. */
export const noteChanges = async (tx: Database, changes: readonly Change[], at: Instant): Promise<void> => {
  if (changes.length === 0) return
  const rows = changes.map(({ kind, subject }) => ({ kind, subject, at }))
  await tx.write((db) => db.insertInto('changes').values(rows).execute())
}
