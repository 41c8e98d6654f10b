import type { Amount } from '@countersign/core'
import type { ExpenseStore, ExpenseSums } from '@countersign/core/storage'
import { sql } from 'kysely'
import type { Database } from '../shared/database.ts'
import { recordMapping } from '../shared/record-mapping.ts'
import { projectReferences } from './projects/project-references.ts'
import { importStore } from './staged-imports.ts'

/** Sums in two parts, because a sum of 64-bit integers may exceed 64 bits, which SQLite cannot represent. */
const PART = 1_000_000_000n

const tables = {
  staged: 'staged_expenses',
  target: 'expenses',
  key: ['project_id', 'external_id'],
  replaced: ['category', 'amount', 'incurred_at'],
} as const

const { toRow } = recordMapping('expenses', 'id projectId externalId category amount incurredAt')

export const expensesStore = (database: Database): ExpenseStore => ({
  ...importStore(database, tables, toRow),

  sums: async (uniqueCode) => {
    const [project] = await projectReferences(database, [uniqueCode])
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
        ]),
    )
    const byCategory: Record<keyof ExpenseSums['byCategory'], Amount> = { materials: 0n, labor: 0n, overhead: 0n }
    for (const { category, high, low } of rows) byCategory[category] = BigInt(high) * PART + BigInt(low)
    return { currency: project.currency, byCategory }
  },
})
