import type { Instant } from '@countersign/core/storage'
import type { CachedChange } from './change-feed.ts'
import type { Database } from './database.ts'

/** Reports changes to every process on the database. Called in the transaction that makes the changes. */
export const recordChanges = async (tx: Database, changes: readonly CachedChange[], at: Instant): Promise<void> => {
  if (changes.length === 0) return
  const rows = changes.map(({ kind, subject }) => ({ kind, subject, at }))
  await tx.write((db) => db.insertInto('changes').values(rows))
  tx.changed(changes)
}
