import type { ProjectPage, ProjectQuery } from '@countersign/core/types'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { type ProjectRow, projectColumn, projectsTable, selectedColumns, toProject } from '../project-rows.ts'
import type { ListContext } from './cache.ts'
import { cachedAnchors, cachedSearch, cacheSearch } from './cache.ts'
import type { AlongIndex, CountAndSortMatches, ListPlan, SortMatches } from './plan.ts'
import { readAlongIndex } from './read-along-index.ts'
import { readCounted } from './read-counted.ts'
import { readNearEnd } from './read-near-end.ts'

/** Reads a page as its plan says, and caches what the next page can use. @param version The version of the lists. */
export const executePlan = async (
  context: ListContext,
  query: ProjectQuery,
  version: number,
  plan: ListPlan,
): Promise<ProjectPage> => {
  if (plan.strategy === 'count and sort matches') return countAndSortMatches(context, query, version, plan)
  const { total } = plan
  const take = Math.min(query.limit, total - query.offset)
  if (take <= 0) return { projects: [], total }
  const rows = await readRows(context, query, version, plan, take)
  return { projects: rows.map(toProject), total }
}

const readRows = (
  context: ListContext,
  query: ProjectQuery,
  version: number,
  plan: Exclude<ListPlan, CountAndSortMatches>,
  take: number,
): Promise<readonly ProjectRow[]> => {
  if (plan.strategy === 'along index') return readIndexPage(context, query, version, plan, take)
  if (plan.strategy === 'sort matches') return sortMatches(context, query, version, plan, take)
  return sortRows(context, query, plan.condition, take)
}

const readIndexPage = async (
  { database, features, cache }: ListContext,
  query: ProjectQuery,
  version: number,
  { index, condition, total, density }: AlongIndex,
  take: number,
): Promise<readonly ProjectRow[]> => {
  // Positions are counted from the lower end, so that both directions share the cached rows.
  const start = query.direction === 'asc' ? query.offset : total - query.offset - take
  const anchors = cachedAnchors(cache, query, version)
  const walk = { database, features, index, column: query.sort, condition, total, density, anchors }
  const rows = await readAlongIndex(walk, start, start + take)
  return query.direction === 'asc' ? rows : rows.toReversed()
}

const sortMatches = async (
  context: ListContext,
  query: ProjectQuery,
  version: number,
  { conditions, total, tryIndex }: SortMatches,
  take: number,
): Promise<readonly ProjectRow[]> => {
  if (tryIndex) {
    const rows = await readNearEnd(context, conditions.contains, query, { take, maxRows: total })
    if (rows !== undefined) return rows
  }
  return sortRows(context, query, await exactMatches(context, query, version, conditions.matches, total), take)
}

/** A search with more matches is not cached whole, so that all cached searches together take a few megabytes. */
const MAX_CACHED_MATCHES = 100

/** Returns a condition for the matches of a search. If they are few, their numbers are cached, and further pages need no search. */
const exactMatches = async (
  { database, cache }: ListContext,
  query: ProjectQuery,
  version: number,
  condition: RawBuilder<SqlBool>,
  total: number,
): Promise<RawBuilder<SqlBool>> => {
  if (total === 0 || total > MAX_CACHED_MATCHES) return condition
  let matches = cachedSearch(cache, query, version)?.matches
  if (matches === undefined) {
    const { rows } = await database.read((db) =>
      sql<{ seq: number }>`select ${projectColumn('seq')} as seq from ${projectsTable} where ${condition}`.execute(db),
    )
    matches = rows.map(({ seq }) => Number(seq))
    if (matches.length === 0) return condition
    cacheSearch(cache, query, { version, total, matches })
  }
  return sql<SqlBool>`${projectColumn('seq')} in (${sql.join(matches)})`
}

const countAndSortMatches = async (
  { database, cache }: ListContext,
  query: ProjectQuery,
  version: number,
  { conditions }: CountAndSortMatches,
): Promise<ProjectPage> => {
  const page = await readCounted(database, conditions.matches, query)
  cacheSearch(cache, query, { version, total: page.total })
  return page
}

const sortRows = async (
  { database }: ListContext,
  { sort, direction, offset }: ProjectQuery,
  condition: RawBuilder<SqlBool>,
  take: number,
): Promise<readonly ProjectRow[]> => {
  const order = direction === 'asc' ? sql`asc` : sql`desc`
  const query = sql<ProjectRow>`
    select ${selectedColumns} from ${projectsTable} where ${condition}
    order by ${projectColumn(sort)} ${order}, ${projectColumn('id')} ${order} limit ${take} offset ${offset}`
  const { rows } = await database.read((db) => query.execute(db))
  return rows
}
