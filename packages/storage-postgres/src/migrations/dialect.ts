import type { MigrationDialect } from '@countersign/storage-sql'
import { sql } from 'kysely'
import { createSearchIndex } from './search-index.ts'

export const migrationDialect: MigrationDialect = {
  withCountedKey: (table, name) =>
    table.addColumn(name, 'bigint', (column) => column.primaryKey().generatedByDefaultAsIdentity()),
  sortedText: sql`text collate "C"`,
  // With the number of the transaction, a reader finds exactly the rows that were committed since an earlier snapshot.
  readChangesByTransaction: async (db) => {
    await sql`alter table ${sql.table('changes')} add column transaction xid8 not null default pg_current_xact_id()`.execute(db)
    await db.schema.createIndex('changes_transaction').on('changes').column('transaction').execute()
  },
  // A seventh of each page is for the row versions that an update adds before the old ones are pruned.
  leaveRoomForUpdates: async (db, table) => {
    await sql`alter table ${sql.table(table)} set (fillfactor = 85)`.execute(db)
  },
  createSearchIndex,
}
