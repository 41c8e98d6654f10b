import type { MigrationDialect } from '@countersign/storage-sql'
import { type Kysely, sql } from 'kysely'

/** Creates a trigram index (pg_trgm). */
const createSearchIndex = async (db: Kysely<unknown>): Promise<void> => {
  // With an empty search path, the extension has no schema of its own, so it is created in the schema of the tables.
  const { rows: places } = await sql<{ readonly schema: string }>`
    select nspname as schema from pg_type join pg_namespace on pg_namespace.oid = typnamespace
    where current_schema() is null and pg_type.oid = pg_typeof(null::${sql.table('projects')})`.execute(db)
  const place = places[0] === undefined ? sql`` : sql`schema ${sql.id(places[0].schema)}`
  // Another schema of the database may be migrated at the same time, and create the extension first.
  await sql`
    do $$ begin
      create extension if not exists pg_trgm ${place};
    exception when unique_violation or duplicate_object then
      null;
    end $$`.execute(db)
  // The extension may be in any schema, also in one outside of the search path.
  const { rows } = await sql<{ readonly schema: string }>`
    select nspname as schema from pg_extension join pg_namespace on pg_namespace.oid = extnamespace
    where extname = 'pg_trgm'`.execute(db)
  const operators = sql.id(rows[0]?.schema ?? 'public', 'gin_trgm_ops')
  await sql`
    create index projects_by_text on ${sql.table('projects')} using gin (searched_text ${operators})
    where removed_at is null`.execute(db)
}

export const migrationDialect: MigrationDialect = {
  withCountedKey: (table, name) =>
    table.addColumn(name, 'bigint', (column) => column.primaryKey().generatedByDefaultAsIdentity()),
  sortedText: sql`text collate "C"`,
  // With the number of the transaction, a reader finds exactly the rows that were committed since an earlier snapshot.
  readChangesByTransaction: async (db) => {
    await sql`alter table ${sql.table('changes')} add column transaction xid8 not null default pg_current_xact_id()`.execute(db)
    await db.schema.createIndex('changes_transaction').on('changes').column('transaction').execute()
  },
  createTrigger: async (db, { name, table, column, condition, statement }) => {
    const changed =
      column &&
      sql`when (old.${sql.id(column)} is distinct from new.${sql.id(column)} ${condition ? sql`and ${condition}` : sql``})`
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
