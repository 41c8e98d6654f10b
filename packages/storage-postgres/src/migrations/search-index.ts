import { type Kysely, sql } from 'kysely'

/** Creates a trigram index (pg_trgm). */
export const createSearchIndex = async (db: Kysely<unknown>): Promise<void> => {
  await sql`create extension if not exists pg_trgm`.execute(db)
  await sql`
    create index projects_by_text on ${sql.table('projects')} using gin (searched_text gin_trgm_ops)
    where removed_at is null`.execute(db)
}
