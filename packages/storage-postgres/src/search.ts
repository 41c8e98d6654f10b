import type { SearchFeatures } from '@countersign/storage-sql'
import { type SqlBool, sql } from 'kysely'

/** Finds texts by their trigrams (pg_trgm). PostgreSQL maintains the index, and its planner decides when to use the index. */
export const search: SearchFeatures = {
  added: async () => {},
  changed: async () => {},
  removed: async () => {},
  contains: (needle) => sql<SqlBool>`${sql.ref('projects.searched_text')} like ${`%${needle.replaceAll(/[\\%_]/g, '\\$&')}%`}`,
  candidates: () => undefined,
}
