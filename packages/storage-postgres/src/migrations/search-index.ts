import { type Kysely, sql } from 'kysely'

/** Creates a trigram index (pg_trgm). */
export const createSearchIndex = async (db: Kysely<unknown>): Promise<void> => {
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
