import type { Database, DialectFeatures, SearchFeatures } from '@countersign/storage-sql'
import { type SqlBool, sql } from 'kysely'
import { dataMoves } from './data-moves.ts'
import { migrationDialect } from './migrations/dialect.ts'
import { requireRights } from './require-rights.ts'

/**
 * Takes project numbers of a year in one statement, whose commit does not wait for the disk, so that the row of the year is locked
 * for a moment only. PostgreSQL writes its log in order, so a durable project has a durable number. See ADR 0029.
 */
const takeNumbers = async (database: Database, year: number, count: number): Promise<number> => {
  const { rows } = await database.write((db) =>
    sql<{ readonly last: number | string }>`
      insert into ${sql.table('project_numbers')} as numbers (year, last) values (${year}, ${count})
      on conflict (year) do update set last = numbers.last + excluded.last
      where set_config('synchronous_commit', 'off', true) is not null
      returning last`.execute(db),
  )
  return Number(rows[0]?.last)
}

/** @param schema The schema of the tables. */
export const dialectFeatures = (schema: string): DialectFeatures => ({
  place: { schema },
  lockForShare: (query) => query.forShare(),
  // Not `for update`: that lock would also block transactions that only refer to the row by a foreign key.
  lockForUpdate: (query) => query.forNoKeyUpdate(),
  lockUnlessLocked: (query) => query.forNoKeyUpdate().skipLocked(),
  // Advisory locks belong to the whole database, so the key contains the schema.
  lockName: (name) => sql`pg_advisory_xact_lock(hashtextextended(${sql.lit(`${schema}.`)} || ${name}, 0))`,
  takeNumbers,
  projectsByIndex: () => sql.table('projects'),
  search,
  dataMoves: dataMoves(schema),
  requireRights: (db, pending) => requireRights(db, schema, pending),
  migrations: migrationDialect,
})

/** Finds texts by their trigrams (pg_trgm). PostgreSQL maintains the index, and its planner decides when to use the index. */
const search: SearchFeatures = {
  added: async () => {},
  changed: async () => {},
  removed: async () => {},
  contains: (needle) => sql<SqlBool>`${sql.ref('projects.searched_text')} like ${`%${needle.replaceAll(/[\\%_]/g, '\\$&')}%`}`,
  candidates: async () => undefined,
}
