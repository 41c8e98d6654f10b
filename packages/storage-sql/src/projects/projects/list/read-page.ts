import type { ProjectPage, ProjectQuery } from '@countersign/core/storage'
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import { readRows } from '../../../shared/database.ts'
import type { ListCounts } from '../project-counts.ts'
import { type ProjectRow, projectColumn, projectsTable, selectedColumns, toProject } from '../project-rows.ts'
import { cachedAnchors, cachedSearch, type ListContext } from './cache.ts'
import { findMatches } from './find-matches.ts'
import { DEFAULT_SORT, filterIndexOf, sortIndexOf } from './list-indexes.ts'
import { type IndexedList, readAlongIndex } from './read-along-index.ts'
import { readNearEnd } from './read-near-end.ts'

/** Up to this many matches, finding and sorting all of them is faster than reading along an index. */
const FEW = 1000

/** A needle in a greater share of the filtered projects is common: along any index, the next match is never far. */
const COMMON_SHARE = 0.02

interface KnownPage {
  readonly context: ListContext
  readonly query: ProjectQuery
  readonly counts: ListCounts
  readonly condition: RawBuilder<SqlBool>
  readonly total: number
  readonly take: number
}

/** Reads a page in the way that reads the fewest rows, and its exact total. See ADR 0014. */
export const readPage = async (context: ListContext, query: ProjectQuery, counts: ListCounts): Promise<ProjectPage> => {
  const { filters, needle, offset, limit } = query
  const condition = listCondition(filters, ...(needle === undefined ? [] : [context.features.search.contains(needle)]))
  const { total, matching = undefined } =
    needle === undefined
      ? { total: counts.total }
      : (cachedSearch(context.cache, query, counts.version) ??
        (await findMatches(context, { ...query, needle }, counts.version, condition)))
  const take = Math.min(limit, total - offset)
  if (take <= 0) return { projects: [], total }
  const page = { context, query, counts, condition, total, take }
  const rows = await (needle === undefined ? readFiltered(page) : readFound(page, matching))
  return { projects: rows.map(toProject), total }
}

/**
 * Reads a page of a list without a search. In the default order, the filter with the fewest projects has an index. In another
 * order, either the rows of the filters are sorted, or the index of the sort key is read, whichever reads fewer rows.
 */
const readFiltered = (page: KnownPage): Promise<readonly ProjectRow[]> => {
  const { query, counts, condition, total } = page
  const [rarest] = counts.byFilter.toSorted((one, other) => one.total - other.total)
  if (rarest !== undefined && query.sort === DEFAULT_SORT) {
    return readIndexed(page, { index: filterIndexOf(rarest.column), density: total / Math.max(1, rarest.total) })
  }
  const density = total / Math.max(1, counts.all)
  if (density < 1 && total <= Math.max(FEW, query.limit / density)) return sortRows(page, condition)
  return readIndexed(page, { index: sortIndexOf(query.sort), density })
}

/** Reads a page of a search. @param matching See `CachedSearch`. */
const readFound = async (page: KnownPage, matching: RawBuilder<SqlBool> | undefined): Promise<readonly ProjectRow[]> => {
  const { context, query, counts, condition, total, take } = page
  const density = total / Math.max(1, counts.all)
  if (matching === undefined || total > Math.max(FEW, counts.total * COMMON_SHARE)) {
    return readIndexed(page, { index: sortIndexOf(query.sort), density })
  }
  // Along the index, a page near its end is probably reached before all matches would be found and sorted.
  const isNear = query.offset + query.limit < total * density
  const near = isNear ? await readNearEnd(context, condition, query, { take, maxRows: total }) : undefined
  return near ?? sortRows(page, matching)
}

/** Reads along an index in its order, and skips the rows that the condition excludes. */
const readIndexed = async (
  { context, query, counts, condition, total, take }: KnownPage,
  along: Pick<IndexedList, 'index' | 'density'>,
): Promise<readonly ProjectRow[]> => {
  const { database, features, cache } = context
  // Positions are counted from the lower end, so that both directions share the cached rows.
  const start = query.direction === 'asc' ? query.offset : total - query.offset - take
  const anchors = cachedAnchors(cache, query, counts.version)
  const rows = await readAlongIndex(
    { ...along, database, features, column: query.sort, condition, total, anchors },
    start,
    start + take,
  )
  return query.direction === 'asc' ? rows : rows.toReversed()
}

const sortRows = (
  { context, query: { sort, direction, offset }, take }: KnownPage,
  condition: RawBuilder<SqlBool>,
): Promise<readonly ProjectRow[]> => {
  const order = direction === 'asc' ? sql`asc` : sql`desc`
  const query = sql<ProjectRow>`
    select ${selectedColumns} from ${projectsTable} where ${condition}
    order by ${projectColumn(sort)} ${order}, ${projectColumn('id')} ${order} limit ${take} offset ${offset}`
  return readRows(context.database, query)
}

const listCondition = (
  { status, customerId, progress }: ProjectQuery['filters'],
  ...others: readonly Expression<SqlBool>[]
): RawBuilder<SqlBool> =>
  sql.join(
    [
      sql`${projectColumn('removed_at')} is null`,
      ...(status === undefined ? [] : [sql`${projectColumn('status')} = ${status}`]),
      ...(customerId === undefined ? [] : [sql`${projectColumn('customer_id')} = ${customerId}`]),
      ...(progress === undefined ? [] : [sql`${projectColumn('progress')} = ${progress}`]),
      ...others,
    ],
    sql` and `,
  )
