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
  createTrigger: async (db, { name, table, column, statement }) => {
    const changed = column && sql`when (old.${sql.id(column)} is distinct from new.${sql.id(column)})`
    const event = column === undefined ? sql`insert` : sql`update of ${sql.id(column)}`
    await sql`create function ${sql.table(name)}() returns trigger language plpgsql
      as $$ begin ${statement}; return null; end $$`.execute(db)
    await sql`create trigger ${sql.id(name)} after ${event} on ${sql.table(table)}
      for each row ${changed ?? sql``} execute function ${sql.table(name)}()`.execute(db)
  },
  // A seventh of each page is for the row versions that an update adds before the old ones are pruned.
  leaveRoomForUpdates: async (db, table) => {
    await sql`alter table ${sql.table(table)} set (fillfactor = 85)`.execute(db)
  },
  createSearchIndex,
}
