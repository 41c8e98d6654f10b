import type { ProjectQuery } from '@countersign/core/storage'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Readable } from '../../../shared/database.ts'
import type { DialectFeatures } from '../../../shared/dialect-features.ts'
import type { ListCounts } from '../counts.ts'
import type { ProjectRow } from '../project-rows.ts'
import { listCondition } from './conditions.ts'
import type { ListCache } from './list-cache.ts'
import { rareGrams } from './rare-grams.ts'
import { readNear } from './read-near.ts'
import { searchTotal } from './search-total.ts'
import { sortOf } from './sorts.ts'

/** Matches that are found and sorted sooner than the next page of them is come across along a sort's index. */
export const FEW = 1000

/** How a page is found. */
export interface Plan {
  readonly condition: RawBuilder<SqlBool>
  readonly total: number
  /** The share of an index's rows that are on the list. */
  readonly density: number
  /** The index to walk along; `undefined`: the condition finds few rows, which are then sorted. */
  readonly index: string | undefined
}

/** A needle that a greater share of the projects has is looked for along the sort's index: the next match is never far. */
const COMMON_SHARE = 0.02

/** A search, and how its matches can be found. */
export interface Search {
  /** Of its filters and its needle. */
  readonly key: string
  /** What finds its matches, by the index where that can. */
  readonly condition: RawBuilder<SqlBool>
  /** The same for rows that are come across. */
  readonly has: RawBuilder<SqlBool>
  readonly indexed: boolean
  /** See `SearchFeatures`. */
  readonly found: RawBuilder<unknown> | undefined
  /** The share of projects that the index is expected to find. */
  readonly share: number
  /** Whether the needle has a part that few projects have. */
  readonly isSelective: boolean
}

/** How the matches of a search can be found. */
export const prepareSearch = async (
  database: Readable,
  { search }: DialectFeatures,
  cache: ListCache,
  { needle, filters }: ProjectQuery & { readonly needle: string },
  { all }: ListCounts,
): Promise<Search> => {
  const has = listCondition(filters, search.contains(needle))
  const key = JSON.stringify([filters.status, filters.customerId, filters.progress, needle])
  const rare = await rareGrams(database, cache, needle, all)
  const found = rare === undefined ? undefined : search.candidates(rare.grams)
  const condition = found === undefined ? has : sql<SqlBool>`projects.seq in ${found} and ${has}`
  return {
    key,
    condition,
    has,
    found,
    share: rare?.share ?? 1,
    indexed: rare !== undefined,
    isSelective: rare !== undefined && rare.share <= COMMON_SHARE,
  }
}

/** How a page of a search is found, and its exact total, which is counted where it is not remembered. */
export const planSearch = async (
  database: Readable,
  cache: ListCache,
  { sort }: ProjectQuery,
  { version, all }: ListCounts,
  { key, condition, has, found, indexed, isSelective }: Search,
): Promise<Plan> => {
  const total = await searchTotal(database, cache, version, { key, condition, has, found, indexed })
  const density = total / Math.max(1, all)
  const isRare = isSelective || (indexed && total <= FEW)
  if (!isRare) return { condition: has, total, density, index: sortOf(sort).index }
  return { condition, total, density, index: undefined }
}

/** Whether a page is come across along its sort's index sooner than all that match are found and sorted. */
export const isNear = ({ offset, limit }: ProjectQuery, matching: number, all: number): boolean =>
  (offset + limit) * all < matching * matching

/** The page of a search that is near the end that is asked for. */
export const readNearPage = async (
  database: Readable,
  features: DialectFeatures,
  query: ProjectQuery,
  { all }: ListCounts,
  { has }: Search,
  { total, index }: Plan,
): Promise<readonly ProjectRow[] | undefined> => {
  const take = Math.min(query.limit, total - query.offset)
  if (index !== undefined || take <= 0 || !isNear(query, total, all)) return undefined
  return readNear({ database, features }, has, query, { take, most: total })
}
