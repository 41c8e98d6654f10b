import type { Kysely } from 'kysely'
import type { MigrationDialect } from './migration-dialect.ts'

/**
 * Creates the table of the differences that wait to be added to the counters of projects. The counters keep their values: a new
 * difference adds to them. Numbers of projects continue after the last one of each year.
 */
export const createCountDeltas =
  ({ withCountedKey, sortedText }: MigrationDialect) =>
  async (db: Kysely<unknown>): Promise<void> => {
    await withCountedKey(db.schema.createTable('project_count_deltas'), 'seq')
      .addColumn('customer_id', sortedText, (column) => column.notNull())
      .addColumn('status', sortedText, (column) => column.notNull())
      .addColumn('progress', sortedText, (column) => column.notNull())
      .addColumn('delta', 'integer', (column) => column.notNull())
      .execute()
  }
