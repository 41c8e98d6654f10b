import { type ProjectPage, type ProjectQuery, Unavailable } from '@countersign/core'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Database } from '../../database.ts'
import type { Flavour } from '../../flavour.ts'
import { type ListCounts, readCounts, readListVersion } from '../counts.ts'
import { type ProjectRow, projectColumns, toProject } from '../project-rows.ts'
import { listCondition } from './conditions.ts'
import { countAndRead } from './count-and-read.ts'
import type { Anchor, ListMemory } from './list-memory.ts'
import { rareGrams } from './rare-grams.ts'
import { knownTotal, matchesOf, searchTotal } from './search-total.ts'
import { DEFAULT_SORT, FILTER_COLUMNS, type FilterColumn, filterIndexOf, sortOf } from './sorts.ts'
import { readRange } from './walk.ts'

/** A page is read anew where the lists changed while it was read; after this many times the server is too busy for it. */
const TRIES = 5

/** One page of the projects and its exact total, both of one version of the lists. */
export const listProjects = async (
  database: Database,
  flavour: Flavour,
  memory: ListMemory,
  query: ProjectQuery,
): Promise<ProjectPage> => {
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const { version, page } = await readPage(database, flavour, memory, query)
    if ((await readListVersion(database)) === version) return page
  }
  throw new Unavailable('The projects change too fast to be listed')
}

/** Matches that are found and sorted sooner than the next page of them is come across along a sort's index. */
const FEW = 1000

const readPage = async (database: Database, flavour: Flavour, memory: ListMemory, query: ProjectQuery) => {
  const counts = await readCounts(database, query.filters)
  if (query.needle === undefined) return readPlanned(database, flavour, memory, query, counts, planFilters(query, counts))
  const search = await prepareSearch(database, flavour, memory, { ...query, needle: query.needle }, counts)
  if (search.isSelective && knownTotal(memory, counts.version, search.key) === undefined) {
    const page = await countAndRead(database, search.condition, query)
    memory.searches.set(search.key, { version: counts.version, total: page.total })
    return { version: counts.version, page }
  }
  const plan = await planSearch(database, memory, query, counts, search)
  return readPlanned(database, flavour, memory, query, counts, plan)
}

const readPlanned = async (
  database: Database,
  flavour: Flavour,
  memory: ListMemory,
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
            flavour,
            index: plan.index,
            column: query.sort,
            condition: plan.condition,
            total,
            density: plan.density,
            anchors: anchorsOf(memory, query, counts.version),
          },
          start,
          start + take,
        )
  const inOrder = plan.index === undefined || query.direction === 'asc' ? rows : rows.toReversed()
  return { version: counts.version, page: { projects: inOrder.map(toProject), total } }
}

interface Plan {
  readonly condition: RawBuilder<SqlBool>
  readonly total: number
  /** The share of an index's rows that are on the list. */
  readonly density: number
  /** The index to walk along; `undefined`: the condition finds few rows, which are then sorted. */
  readonly index: string | undefined
}

/** The one filter that is given, where its index holds the list in the order that is asked for. */
const onlyFilter = ({ filters, sort }: ProjectQuery): FilterColumn | undefined => {
  const given = FILTER_COLUMNS.filter((column) => filters[FILTER_MEMBERS[column]] !== undefined)
  return sort === DEFAULT_SORT && given.length === 1 ? given[0] : undefined
}

const FILTER_MEMBERS = { customer_id: 'customerId', status: 'status', progress: 'progress' } as const

/**
 * A list without filters has the index of its sort, one with a single filter its own for the default sort. Otherwise the
 * rows of the filter are found and sorted, or come across along the sort's index, whichever looks at fewer rows.
 */
const planFilters = (query: ProjectQuery, { total, all }: ListCounts): Plan => {
  const filter = onlyFilter(query)
  const condition = listCondition(query.filters)
  if (filter !== undefined) return { condition, total, density: 1, index: filterIndexOf(filter) }
  const density = total / Math.max(1, all)
  const isFew = density < 1 && total <= Math.max(FEW, query.limit / density)
  return { condition, total, density, index: isFew ? undefined : sortOf(query.sort).index }
}

/** A needle that a greater share of the projects has is looked for along the sort's index: the next match is never far. */
const COMMON_SHARE = 0.02

interface Search {
  /** Of its filters and its needle. */
  readonly key: string
  /** What finds its matches, by the index where that can. */
  readonly condition: RawBuilder<SqlBool>
  /** The same for rows that are come across. */
  readonly has: RawBuilder<SqlBool>
  readonly indexed: boolean
  /** Whether the needle has a part that few projects have. */
  readonly isSelective: boolean
}

const prepareSearch = async (
  database: Database,
  { search }: Flavour,
  memory: ListMemory,
  { needle, filters }: ProjectQuery & { readonly needle: string },
  { all }: ListCounts,
): Promise<Search> => {
  const has = listCondition(filters, search.has(needle))
  const key = JSON.stringify([filters.status, filters.customerId, filters.progress, needle])
  const rare = await rareGrams(database, memory, needle, all)
  const narrowed = rare === undefined ? undefined : search.narrowed(rare.grams)
  const condition = narrowed === undefined ? has : listCondition(filters, narrowed, search.has(needle))
  return { key, condition, has, indexed: rare !== undefined, isSelective: rare !== undefined && rare.share <= COMMON_SHARE }
}

const planSearch = async (
  database: Database,
  memory: ListMemory,
  { sort }: ProjectQuery,
  { version, all }: ListCounts,
  { key, condition, has, indexed, isSelective }: Search,
): Promise<Plan> => {
  const total = await searchTotal(database, memory, version, { key, condition, indexed })
  const density = total / Math.max(1, all)
  const isRare = isSelective || (indexed && total <= FEW)
  if (!isRare) return { condition: has, total, density, index: sortOf(sort).index }
  return { condition: await matchesOf(database, memory, version, { key, condition, total }), total, density, index: undefined }
}

/** Finds all rows of a condition that has few, and sorts them. */
const readSorted = async (
  database: Database,
  condition: RawBuilder<SqlBool>,
  { sort, direction, offset }: ProjectQuery,
  take: number,
): Promise<readonly ProjectRow[]> => {
  const order = direction === 'asc' ? sql`asc` : sql`desc`
  const columns = sql.join(projectColumns.map((column) => sql.ref(`projects.${column}`)))
  const query = sql<ProjectRow>`
    select ${columns} from projects where ${condition}
    order by ${sql.ref(`projects.${sort}`)} ${order}, projects.id ${order} limit ${take} offset ${offset}`
  const { rows } = await database.read((db) => query.execute(db))
  return rows
}

const anchorsOf = (memory: ListMemory, { filters, needle, sort }: ProjectQuery, version: number): Anchor[] => {
  const key = JSON.stringify([filters.status, filters.customerId, filters.progress, needle, sort])
  const known = memory.lists.get(key)
  if (known?.version === version) return known.anchors
  const anchors: Anchor[] = []
  memory.lists.set(key, { version, anchors })
  return anchors
}
