import type { ProjectQuery } from '@countersign/core/storage'
import type { RawBuilder, SqlBool } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Readable } from '../../../shared/database.ts'
import type { DialectFeatures } from '../../../shared/dialect-features.ts'

/** A row of a list that is known to a process, so that a page near the row is read from there. */
export interface Anchor {
  /** Counted from the lower end of the list. */
  readonly position: number
  readonly key: string | number
  readonly id: string
}

/** The known rows of one list: of its filters, its search and its sort key. */
interface CachedList {
  readonly version: number
  /** In ascending order of their positions. */
  readonly anchors: Anchor[]
}

export interface CachedSearch {
  readonly version: number
  readonly total: number
  /** Finds the matches by the search index, or by their numbers if they are few. Missing if the index cannot be used. */
  readonly matching?: RawBuilder<SqlBool>
}

/** The lists that a process has read, each for one version, which every change of a project raises. Any entry may be lost. */
export interface ListCache {
  readonly lists: LRUCache<string, CachedList>
  readonly searches: LRUCache<string, CachedSearch>
}

const MAX_LISTS = 200
const MAX_SEARCHES = 5000

export const createListCache = (): ListCache => ({
  lists: new LRUCache({ max: MAX_LISTS }),
  searches: new LRUCache({ max: MAX_SEARCHES }),
})

type Search = Pick<ProjectQuery, 'filters' | 'needle'>

const searchKey = ({ filters, needle }: Search): string =>
  JSON.stringify([filters.status, filters.customerId, filters.progress, needle])

/** Returns the known rows of a list. The caller adds new ones to the array. */
export const cachedAnchors = ({ lists }: ListCache, query: Search & Pick<ProjectQuery, 'sort'>, version: number): Anchor[] => {
  const key = JSON.stringify([searchKey(query), query.sort])
  const known = lists.get(key)
  if (known?.version === version) return known.anchors
  const anchors: Anchor[] = []
  lists.set(key, { version, anchors })
  return anchors
}

/** Returns the result of a search, if the process has it for this version of the lists. */
export const cachedSearch = ({ searches }: ListCache, search: Search, version: number): CachedSearch | undefined => {
  const known = searches.get(searchKey(search))
  return known?.version === version ? known : undefined
}

export const cacheSearch = ({ searches }: ListCache, search: Search, result: CachedSearch): void => {
  searches.set(searchKey(search), result)
}

export interface ListContext {
  readonly database: Readable
  readonly features: Pick<DialectFeatures, 'search' | 'projectsByIndex'>
  readonly cache: ListCache
}
