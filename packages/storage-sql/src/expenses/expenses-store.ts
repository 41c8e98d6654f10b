import type { Amount, ExpenseStore, ExpenseSums } from '@countersign/core'
import { sql } from 'kysely'
import type { Database } from '../database.ts'
import { countPut } from '../projects/count-put.ts'
import { visibleProject } from '../projects/visible-project.ts'

/** Amounts are summed in two parts, since a sum of 64-bit integers may be beyond 64 bits, where SQLite gives up. */
const PART = 1_000_000_000n

export const expensesStore = (database: Database): ExpenseStore => ({
  put: async (expenses) => {
    if (expenses.length === 0) return { imported: 0, updated: 0 }
    const rows = await database.write((db) =>
      db
        .insertInto('expenses')
        .values(
          expenses.map(({ id, projectId, externalId, category, amount, incurredAt }) => ({
            id,
            project_id: projectId,
            external_id: externalId,
            category,
            amount,
            incurred_at: incurredAt,
          })),
        )
        .onConflict((conflict) =>
          conflict.column('external_id').doUpdateSet((the) => ({
            project_id: the.ref('excluded.project_id'),
            category: the.ref('excluded.category'),
            amount: the.ref('excluded.amount'),
            incurred_at: the.ref('excluded.incurred_at'),
          })),
        )
        .returning('id')
        .execute(),
    )
    return countPut(expenses, rows)
  },

  sums: async (uniqueCode) => {
    const project = await visibleProject(database, uniqueCode)
    if (project === undefined) return undefined
    const rows = await database.read((db) =>
      db
        .selectFrom('expenses')
        .where('project_id', '=', project.id)
        .groupBy('category')
        .select([
          'category',
          sql<string>`cast(sum(amount / ${sql.lit(Number(PART))}) as text)`.as('high'),
          sql<string>`cast(sum(amount % ${sql.lit(Number(PART))}) as text)`.as('low'),
        ])
        .execute(),
    )
    const byCategory: Record<keyof ExpenseSums['byCategory'], Amount> = { materials: 0n, labor: 0n, overhead: 0n }
    for (const { category, high, low } of rows) byCategory[category] = BigInt(high) * PART + BigInt(low)
    return { currency: project.currency, byCategory }
  },
})
