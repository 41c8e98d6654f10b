import { setImmediate } from 'node:timers/promises'
import { type Expression, type SqlBool, sql } from 'kysely'
import type { Readable } from '../../../shared/database.ts'
import { projectColumn, projectsTable } from '../project-rows.ts'
import type { ListContext } from './cache.ts'
import { cacheSearch } from './cache.ts'
import type { SearchConditions, SearchQuery } from './search-candidates.ts'

/** Rows that one statement of a count reads, so that other callers never wait for a scan of the whole table. */
const CHUNK = 20_000

const seq = projectColumn('seq')

/** Counts the matches of a search exactly, and caches the total. */
export const countMatches = async (
  { database, cache }: ListContext,
  query: SearchQuery,
  version: number,
  { matches, contains, candidates, isIndexed }: SearchConditions,
): Promise<number> => {
  const total = await (isIndexed
    ? candidates === undefined
      ? countWhere(database, matches)
      : countCandidates(database, candidates, contains)
    : countInChunks(database, contains))
  cacheSearch(cache, query, { version, total })
  return total
}

const countWhere = async (database: Readable, condition: Expression<SqlBool>): Promise<number> => {
  const { rows } = await database.read((db) =>
    sql<{ total: number }>`select count(*) as total from ${projectsTable} where ${condition}`.execute(db),
  )
  return Number(rows[0]?.total ?? 0)
}

/** Joins the candidates row by row: SQLite is slower if it must first build a list of all candidates. */
const countCandidates = async (
  database: Readable,
  candidates: Expression<unknown>,
  contains: Expression<SqlBool>,
): Promise<number> => {
  const { rows } = await database.read((db) =>
    sql<{ total: number }>`
      select count(*) as total from ${candidates} as found
      cross join ${projectsTable} on ${seq} = found.seq where ${contains}`.execute(db),
  )
  return Number(rows[0]?.total ?? 0)
}

/** Counts without an index, in chunks. Other callers run between two chunks. */
const countInChunks = async (database: Readable, condition: Expression<SqlBool>): Promise<number> => {
  const { rows } = await database.read((db) =>
    sql<{ newest: number | null }>`select max(seq) as newest from ${projectsTable}`.execute(db),
  )
  const newest = Number(rows[0]?.newest ?? 0)
  let total = 0
  for (let after = 0; after < newest; after += CHUNK) {
    total += await countWhere(database, sql`${condition} and ${seq} > ${after} and ${seq} <= ${after + CHUNK}`)
    await setImmediate()
  }
  return total
}
