import type { Kysely } from 'kysely'
import type { MigrationDialect } from './migration-dialect.ts'

/** Lets a process tell the others of its changes after the commit, instead of the database in the commit. */
export const readChangesByTransaction =
  (dialect: MigrationDialect) =>
  async (db: Kysely<unknown>): Promise<void> => {
    await db.schema
      .alterTable('changes')
      .addColumn('announced', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
    await dialect.readChangesByTransaction(db)
  }
