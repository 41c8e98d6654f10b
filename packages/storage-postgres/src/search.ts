import type { SearchFeatures } from '@countersign/storage-sql'
import { type SqlBool, sql } from 'kysely'

/** Finds texts by their trigrams (pg_trgm). The index keeps itself current, and the planner knows when to use it. */
export const search: SearchFeatures = {
  create: async (db) => {
    await sql`create extension if not exists pg_trgm`.execute(db)
    await sql`create index projects_by_text on projects using gin (searched_text gin_trgm_ops) where removed_at is null`.execute(
      db,
    )
  },
  slim: async () => {},
  // Its index has a list of what waits of its own (`fastupdate`).
  gather: async () => {},
  added: async () => {},
  changed: async () => {},
  removed: async () => {},
  has: (needle) => sql<SqlBool>`projects.searched_text like ${`%${needle.replaceAll(/[\\%_]/g, '\\$&')}%`}`,
  found: () => undefined,
}
