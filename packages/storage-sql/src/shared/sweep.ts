import type { Instant } from '@countersign/core/storage'
import type { DeleteResult, Kysely } from 'kysely'
import type { Tables } from '../tables/index.ts'
import type { Database } from './database.ts'

/** Rows of one step. Other callers run between two steps. */
export const SWEEP_BATCH = 500

/** Deletes at most one batch of rows, and returns their number. */
export type SweepStep = (database: Database, now: Instant) => Promise<number>

/**
 * Makes a step of one statement. The statement repeats its condition outside of the subquery: if another process changes a row
 * meanwhile, the database evaluates only the outer condition again.
 */
export const deleting =
  (statement: (db: Kysely<Tables>, now: Instant) => { executeTakeFirstOrThrow(): Promise<DeleteResult> }): SweepStep =>
  async (database, now) => {
    const { numDeletedRows } = await database.write((db) => statement(db, now).executeTakeFirstOrThrow())
    return Number(numDeletedRows)
  }

/** Much longer than any pause between two polls. A process that pauses longer clears its cache. */
const CHANGES_KEPT = 3_600_000

/** Keeps the newest change, so that a process that polls after a long time notices the missing ones. */
const sweepChanges = deleting((db, now) =>
  db.deleteFrom('changes').where('seq', 'in', (the) =>
    the
      .selectFrom('changes')
      .select('seq')
      .where('at', '<', now - CHANGES_KEPT)
      .where('seq', '<', ({ selectFrom }) => selectFrom('changes').select(({ fn }) => fn.max('seq').as('newest')))
      .limit(SWEEP_BATCH),
  ),
)

/**
 * Deletes the rows that no rule needs any more: the changes, and those of the steps. The steps are independent. Returns the
 * number of deleted rows.
 */
export const sweep = async (database: Database, steps: readonly SweepStep[], now: Instant): Promise<number> => {
  let swept = 0
  for (const step of [...steps, sweepChanges]) {
    for (;;) {
      const deleted = await step(database, now)
      swept += deleted
      if (deleted < SWEEP_BATCH) break
    }
  }
  return swept
}
