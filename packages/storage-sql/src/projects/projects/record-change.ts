import type { Project } from '@countersign/core/storage'
import type { Database } from '../../shared/database.ts'
import { preparedQuery, rowOf } from '../../shared/prepared-query.ts'
import { type Delta, foldCounts } from './fold-counts.ts'

type Counted = Pick<Project, 'customerId' | 'status' | 'progress'>

/** The number of deltas between two folds. A list reads the waiting deltas, so they stay few. */
const FOLD_EVERY = 64

const insertDelta = preparedQuery((db, given: Delta) =>
  db
    .insertInto('project_count_deltas')
    .values(rowOf(given, ['customer_id', 'status', 'progress', 'delta']))
    .returning('seq'),
)

const add = async (tx: Database, { customerId, status, progress }: Counted, delta: number): Promise<void> => {
  const row = await insertDelta.written(tx, { customer_id: customerId, status, progress, delta })
  if (row !== undefined && Number(row.seq) % FOLD_EVERY === 0) await foldCounts(tx)
}

/**
 * Records a changed project in its transaction: inserts the differences of the counters as rows of their own, so that nobody waits.
 * Each row raises the version of the lists, which invalidates what other processes have cached. See ADR 0029.
 */
export const recordProjectChange = async (
  tx: Database,
  before: Counted | undefined,
  after: Counted | undefined,
): Promise<void> => {
  if (before !== undefined && after !== undefined && before.status === after.status && before.progress === after.progress) {
    await add(tx, after, 0)
    return
  }
  if (before !== undefined) await add(tx, before, -1)
  if (after !== undefined) await add(tx, after, 1)
}
