import type { ProjectQuery } from '@countersign/core/types'
import type { RawBuilder, SqlBool } from 'kysely'
import type { ListCounts } from '../project-counts.ts'
import type { ListContext } from './cache.ts'
import { cachedSearch } from './cache.ts'
import { countMatches } from './count-matches.ts'
import { listCondition } from './list-condition.ts'
import { DEFAULT_SORT, filterIndexOf, sortIndexOf } from './list-indexes.ts'
import { prepareSearch, type SearchConditions, type SearchQuery } from './search-candidates.ts'

/** Up to this many matches, finding and sorting all of them is faster than reading along an index. */
const FEW = 1000

/** Reads along an index in its order, and skips the rows that the condition excludes. */
export interface AlongIndex {
  readonly strategy: 'along index'
  readonly index: string
  readonly condition: RawBuilder<SqlBool>
  readonly total: number
  /** The share of the index's rows that are on the list. */
  readonly density: number
}

/** Finds all rows of a filter with few matches, and sorts them. */
export interface SortRows {
  readonly strategy: 'sort rows'
  readonly condition: RawBuilder<SqlBool>
  readonly total: number
}

/** Finds all matches of a search with few matches, and sorts them. */
export interface SortMatches {
  readonly strategy: 'sort matches'
  readonly conditions: SearchConditions
  readonly total: number
  /** Whether reading along the index of the sort key is worth a try first, because the page is probably near its end. */
  readonly tryIndex: boolean
}

/** Finds all matches of a search with few matches, counts them and sorts them in one statement, because the total is not known. */
export interface CountAndSortMatches {
  readonly strategy: 'count and sort matches'
  readonly conditions: SearchConditions
}

/** The way in which a page and its exact total are read. See ADR 0014. */
export type ListPlan = AlongIndex | SortRows | SortMatches | CountAndSortMatches

export const planList = (context: ListContext, query: ProjectQuery, counts: ListCounts): ListPlan | Promise<ListPlan> => {
  const { needle } = query
  return needle === undefined ? planFilters(query, counts) : planSearch(context, { ...query, needle }, counts)
}

/**
 * Plans a list without a search. In the default order each filter has an index; of several filters, the one with the fewest
 * projects is used. In another order, either the rows of the filters are sorted, or the index of the sort key is read, whichever
 * reads fewer rows.
 */
const planFilters = (query: ProjectQuery, { total, all, byFilter }: ListCounts): AlongIndex | SortRows => {
  const condition = listCondition(query.filters)
  const [rarest] = byFilter.toSorted((one, other) => one.total - other.total)
  if (rarest !== undefined && query.sort === DEFAULT_SORT) {
    const index = filterIndexOf(rarest.column)
    return { strategy: 'along index', index, condition, total, density: total / Math.max(1, rarest.total) }
  }
  const density = total / Math.max(1, all)
  const areFew = density < 1 && total <= Math.max(FEW, query.limit / density)
  if (areFew) return { strategy: 'sort rows', condition, total }
  return { strategy: 'along index', index: sortIndexOf(query.sort), condition, total, density }
}

const planSearch = async (
  context: ListContext,
  query: SearchQuery,
  { version, all }: ListCounts,
): Promise<AlongIndex | SortMatches | CountAndSortMatches> => {
  const conditions = await prepareSearch(context, query, all)
  const { isSelective, isIndexed, expectedShare } = conditions
  const known = cachedSearch(context.cache, query, version)
  if (known === undefined && isSelective && !isNearEnd(query, all * expectedShare, all)) {
    return { strategy: 'count and sort matches', conditions }
  }
  const total = known?.total ?? (await countMatches(context, query, version, conditions))
  if (isSelective || (isIndexed && total <= FEW)) {
    return { strategy: 'sort matches', conditions, total, tryIndex: isNearEnd(query, total, all) }
  }
  const density = total / Math.max(1, all)
  return { strategy: 'along index', index: sortIndexOf(query.sort), condition: conditions.contains, total, density }
}

/** Returns whether reading along the index reaches the page before all matches would be found and sorted. */
const isNearEnd = ({ offset, limit }: ProjectQuery, matches: number, all: number): boolean =>
  (offset + limit) * all < matches * matches
