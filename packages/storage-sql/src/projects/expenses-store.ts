import type { ExpenseStore } from '@countersign/core/storage'
import type { Amount, ExpenseSums } from '@countersign/core/types'
import { sql } from 'kysely'
import type { Database } from '../shared/database.ts'
import { recordMapping } from '../shared/record-mapping.ts'
import { visibleProject } from './projects/visible-project.ts'
import { commitStaged, discardStaged } from './staged-imports.ts'

/** Sums in two parts, because a sum of 64-bit integers may exceed 64 bits, which SQLite cannot represent. */
const PART = 1_000_000_000n

const tables = {
  staged: 'staged_expenses',
  target: 'expenses',
  key: ['project_id', 'external_id'],
  replaced: ['category', 'amount', 'incurred_at'],
} as const

const mapping = recordMapping('id projectId externalId category amount incurredAt')

export const expensesStore = (database: Database): ExpenseStore => ({
  stage: async (importId, expenses, now) => {
    if (expenses.length === 0) return
    const rows = expenses.map((expense) => ({ import_id: importId, staged_at: now, ...mapping.toRow(expense) }))
    await database.write((db) =>
      db
        .insertInto('staged_expenses')
        .values(rows)
        .onConflict((conflict) =>
          conflict.columns(['import_id', 'project_id', 'external_id']).doUpdateSet((the) => ({
            category: the.ref('excluded.category'),
            amount: the.ref('excluded.amount'),
            incurred_at: the.ref('excluded.incurred_at'),
          })),
        )
        .execute(),
    )
  },

  commitImport: (importId) => commitStaged(database, tables, importId),

  discardImport: (importId) => discardStaged(database, tables.staged, importId),

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
