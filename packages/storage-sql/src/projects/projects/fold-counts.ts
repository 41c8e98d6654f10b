import type { Database } from '../../shared/database.ts'
import type { Row } from '../../tables/index.ts'

/** The customer id of the counters over all customers. */
export const ALL_CUSTOMERS = ''

/** The most deltas of one fold. Two counters change for each, and a statement takes at most 32766 values on SQLite. */
const MOST = 2000

export type Delta = Omit<Row<'project_count_deltas'>, 'seq'>

/** Adds up the deltas for each counter: one counter for the customer, and one for all customers. */
const sumsOf = (deltas: readonly Delta[]): readonly Row<'project_counts'>[] => {
  const sums = new Map<string, Row<'project_counts'>>()
  for (const { customer_id, status, progress, delta } of deltas) {
    for (const customer of [ALL_CUSTOMERS, customer_id]) {
      const key = JSON.stringify([customer, status, progress])
      const count = (sums.get(key)?.count ?? 0) + delta
      sums.set(key, { customer_id: customer, status, progress, count })
    }
  }
  return [...sums.values()].filter(({ count }) => count !== 0)
}

/** Folds waiting deltas into the counters, in the transaction, unless another one does. No total and no version changes. */
export const foldCounts = async (tx: Database): Promise<void> => {
  const [held] = await tx.read((db) => tx.locks.lockUnlessLocked(db.selectFrom('project_lists').select('id').where('id', '=', 1)))
  if (held === undefined) return
  const deltas = await tx.write((db) =>
    db
      .deleteFrom('project_count_deltas')
      .where('seq', 'in', (the) => the.selectFrom('project_count_deltas').select('seq').orderBy('seq').limit(MOST))
      .returning(['customer_id', 'status', 'progress', 'delta']),
  )
  const sums = sumsOf(deltas)
  if (sums.length > 0) {
    await tx.write((db) =>
      db
        .insertInto('project_counts')
        .values([...sums])
        .onConflict((conflict) =>
          conflict
            .columns(['customer_id', 'status', 'progress'])
            .doUpdateSet((the) => ({ count: the('project_counts.count', '+', the.ref('excluded.count')) })),
        ),
    )
  }
  await tx.write((db) => db.updateTable('project_lists').set((the) => ({ version: the('version', '+', deltas.length) })))
}
