import { setImmediate } from 'node:timers/promises'
import type { ProjectQuery } from '@countersign/core/storage'
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import { type Readable, readRows } from '../../../shared/database.ts'
import type { SearchCandidates } from '../../../shared/dialect-features.ts'
import { projectColumn, projectsTable } from '../project-rows.ts'
import { type CachedSearch, cacheSearch, type ListContext } from './cache.ts'

/** The number of rows that one statement of a count reads, so that other callers never wait for a scan of the whole table. */
const CHUNK = 20_000
/** The number of candidates of a search that one statement of a count reads. A candidate takes longer than a row of a scan. */
const CANDIDATES = 5_000

/** A search with more matches is not cached whole, so that all cached searches together take a few megabytes. */
const MAX_CACHED_MATCHES = 100

const seq = projectColumn('seq')

export interface SearchQuery extends ProjectQuery {
  readonly needle: string
}

/** Counts the matches of a search exactly, finds them if they are few, and caches the result. */
export const findMatches = async (
  { database, features, cache }: ListContext,
  query: SearchQuery,
  version: number,
  contains: RawBuilder<SqlBool>,
): Promise<CachedSearch> => {
  const find = async (): Promise<Omit<CachedSearch, 'version'>> => {
    // A shorter needle has no trigram.
    if (Array.from(query.needle).length < 3) return { total: await countInChunks(database, contains) }
    const candidates = await features.search.candidates(database, query.needle)
    // Joins the candidates row by row: SQLite is slower if it must first build a list of all candidates.
    const from = candidates ? sql`${candidates.all} as found cross join ${projectsTable} on ${seq} = found.seq` : projectsTable
    const found = sql<{ seq: number | string }>`
      select ${seq} as seq from ${from} where ${contains} limit ${MAX_CACHED_MATCHES + 1}`
    const rows = await readRows(database, found)
    if (rows.length <= MAX_CACHED_MATCHES) {
      return { total: rows.length, matching: sql`${seq} in (${sql.join(rows.map((row) => Number(row.seq)))})` }
    }
    if (candidates === undefined) return { total: await countWhere(database, contains), matching: contains }
    const matching = sql<SqlBool>`${seq} in ${candidates.all} and ${contains}`
    return { total: await countCandidates(database, candidates, contains), matching }
  }
  const found = { version, ...(await find()) }
  cacheSearch(cache, query, found)
  return found
}

const countWhere = async (database: Readable, condition: Expression<SqlBool>): Promise<number> => {
  const counted = sql<{ total: number | string }>`select count(*) as total from ${projectsTable} where ${condition}`
  const [row] = await readRows(database, counted)
  return Number(row?.total ?? 0)
}

/** Counts without an index, in chunks. Other callers run between two chunks. */
const countInChunks = async (database: Readable, condition: Expression<SqlBool>): Promise<number> => {
  const [row] = await readRows(database, sql<{ newest: number | null }>`select max(seq) as newest from ${projectsTable}`)
  const newest = Number(row?.newest ?? 0)
  let total = 0
  for (let after = 0; after < newest; after += CHUNK) {
    total += await countWhere(database, sql`${condition} and ${seq} > ${after} and ${seq} <= ${after + CHUNK}`)
    await setImmediate()
  }
  return total
}

/** Counts the candidates that match, in chunks. Other callers run between two chunks. */
const countCandidates = async (
  database: Readable,
  { after }: SearchCandidates,
  condition: Expression<SqlBool>,
): Promise<number> => {
  const countAfter = async (last: number) => {
    const counted = sql<{ read: number | string; matches: number | string; last: number | string | null }>`
      select count(*) as read, count(*) filter (where ${condition}) as matches, max(found.seq) as last
      from ${after(last, CANDIDATES)} as found left join ${projectsTable} on ${seq} = found.seq`
    const [row] = await readRows(database, counted)
    return { read: Number(row?.read ?? 0), matches: Number(row?.matches ?? 0), last: Number(row?.last ?? 0) }
  }
  let part = await countAfter(0)
  let total = part.matches
  while (part.read === CANDIDATES) {
    await setImmediate()
    part = await countAfter(part.last)
    total += part.matches
  }
  return total
}
