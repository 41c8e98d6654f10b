import { type ProjectPage, type ProjectQuery, Unavailable } from '@countersign/core/storage'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Database, Readable } from '../../../shared/database.ts'
import type { DialectFeatures } from '../../../shared/dialect-features.ts'
import { type ListCounts, readCounts, readListVersion } from '../counts.ts'
import { type ProjectRow, selectedColumns, toProject } from '../project-rows.ts'
import { listCondition } from './conditions.ts'
import { countAndRead } from './count-and-read.ts'
import type { Anchor, ListCache } from './list-cache.ts'
import { FEW, isNear, type Plan, planSearch, prepareSearch, readNearPage } from './plan-search.ts'
import { knownTotal, matchesOf } from './search-total.ts'
import { DEFAULT_SORT, filterIndexOf, sortOf } from './sorts.ts'
import { readRange } from './walk.ts'

/**
 * One page of the projects and its exact total, both of one version of the lists. Where that changes while they are read,
 * which writers beside it can go on doing for ever, they are read anew in a snapshot.
 */
export const listProjects = async (
  database: Database,
  features: DialectFeatures,
  cache: ListCache,
  query: ProjectQuery,
): Promise<ProjectPage> => {
  const readOnce = async (readable: Readable): Promise<ProjectPage | undefined> => {
    const { version, page } = await readPage(readable, features, cache, query)
    return (await readListVersion(readable)) === version ? page : undefined
  }
  const page = (await readOnce(database)) ?? (await database.snapshot(readOnce))
  // A transaction is no snapshot, and others may have changed projects in between.
  if (page === undefined) throw new Unavailable('The projects changed while they were listed')
  return page
}

const readPage = async (database: Readable, features: DialectFeatures, cache: ListCache, query: ProjectQuery) => {
  const counts = await readCounts(database, query.filters)
  if (query.needle === undefined) return readPlanned(database, features, cache, query, counts, planFilters(query, counts))
  const search = await prepareSearch(database, features, cache, { ...query, needle: query.needle }, counts)
  const isCounted = knownTotal(cache, counts.version, search.key) !== undefined
  if (search.isSelective && !isCounted && !isNear(query, counts.all * search.share, counts.all)) {
    const page = await countAndRead(database, search.condition, query)
    cache.searches.set(search.key, { version: counts.version, total: page.total })
    return { version: counts.version, page }
  }
  const plan = await planSearch(database, cache, query, counts, search)
  const near = await readNearPage(database, features, query, counts, search, plan)
  if (near !== undefined) return { version: counts.version, page: { projects: near.map(toProject), total: plan.total } }
  if (plan.index === undefined) {
    const condition = await matchesOf(database, cache, counts.version, { ...search, total: plan.total })
    return readPlanned(database, features, cache, query, counts, { ...plan, condition })
  }
  return readPlanned(database, features, cache, query, counts, plan)
}

const readPlanned = async (
  database: Readable,
  features: DialectFeatures,
  cache: ListCache,
  query: ProjectQuery,
  counts: ListCounts,
  plan: Plan,
): Promise<{ readonly version: number; readonly page: ProjectPage }> => {
  const { total } = plan
  const take = Math.min(query.limit, total - query.offset)
  if (take <= 0) return { version: counts.version, page: { projects: [], total } }

  // Everything is counted from the lower end, so that both directions share what is remembered.
  const start = query.direction === 'asc' ? query.offset : total - query.offset - take
  const rows =
    plan.index === undefined
      ? await readSorted(database, plan.condition, query, take)
      : await readRange(
          {
            database,
            features,
            index: plan.index,
            column: query.sort,
            condition: plan.condition,
            total,
            density: plan.density,
            anchors: anchorsOf(cache, query, counts.version),
          },
          start,
          start + take,
        )
  const inOrder = plan.index === undefined || query.direction === 'asc' ? rows : rows.toReversed()
  return { version: counts.version, page: { projects: inOrder.map(toProject), total } }
}

/**
 * A list without filters has the index of its sort, and each filter its own in the order of the default sort: of several,
 * that of the filter which the fewest projects have is walked. By another sort, the rows of the filters are found and sorted,
 * or come across along the sort's index, whichever looks at fewer rows.
 */
const planFilters = (query: ProjectQuery, { total, all, alone }: ListCounts): Plan => {
  const condition = listCondition(query.filters)
  const [rarest] = alone.toSorted((one, other) => one.total - other.total)
  if (rarest !== undefined && query.sort === DEFAULT_SORT) {
    return { condition, total, density: total / Math.max(1, rarest.total), index: filterIndexOf(rarest.column) }
  }
  const density = total / Math.max(1, all)
  const isFew = density < 1 && total <= Math.max(FEW, query.limit / density)
  return { condition, total, density, index: isFew ? undefined : sortOf(query.sort).index }
}

/** Finds all rows of a condition that has few, and sorts them. */
const readSorted = async (
  database: Readable,
  condition: RawBuilder<SqlBool>,
  { sort, direction, offset }: ProjectQuery,
  take: number,
): Promise<readonly ProjectRow[]> => {
  const order = direction === 'asc' ? sql`asc` : sql`desc`
  const query = sql<ProjectRow>`
    select ${selectedColumns} from projects where ${condition}
    order by ${sql.ref(`projects.${sort}`)} ${order}, projects.id ${order} limit ${take} offset ${offset}`
  const { rows } = await database.read((db) => query.execute(db))
  return rows
}

const anchorsOf = (cache: ListCache, { filters, needle, sort }: ProjectQuery, version: number): Anchor[] => {
  const key = JSON.stringify([filters.status, filters.customerId, filters.progress, needle, sort])
  const known = cache.lists.get(key)
  if (known?.version === version) return known.anchors
  const anchors: Anchor[] = []
  cache.lists.set(key, { version, anchors })
  return anchors
}
