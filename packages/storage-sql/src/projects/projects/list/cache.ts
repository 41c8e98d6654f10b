import type { ProjectQuery } from '@countersign/core/types'
import { LRUCache } from 'lru-cache'
import type { Readable } from '../../../shared/database.ts'
import type { DialectFeatures } from '../../../shared/dialect-features.ts'

/** A sample of the projects, which shows how often trigrams occur and which of them occur together. */
export interface TrigramSample {
  /** The number of all projects when the sample was taken. */
  readonly projects: number
  /** The number of projects in the sample. */
  readonly size: number
  /** The projects of the sample that have a trigram, by their positions in the sample. */
  readonly having: ReadonlyMap<string, readonly number[]>
}

/** A row of a list that is known to a process, so that a page near the row is read from there. */
export interface Anchor {
  /** Counted from the lower end of the list. */
  readonly position: number
  /** The value that the list is sorted by. */
  readonly key: string | number
  readonly id: string
}

/** The known rows of one list: of its filters, its search and its sort key. */
interface CachedList {
  readonly version: number
  /** In ascending order of their positions. */
  readonly anchors: Anchor[]
}

/** The result of one search with its filters. */
interface CachedSearch {
  readonly version: number
  /** The exact number of matches. */
  readonly total: number
  /** The `seq` of every match, if there are few. */
  readonly matches?: readonly number[]
}

/**
 * The lists that a process has read. An entry is valid for one version of the lists: every change of a project raises the
 * version. Any entry may be lost, because the database has the same data.
 */
export interface ListCache {
  readonly lists: LRUCache<string, CachedList>
  readonly searches: LRUCache<string, CachedSearch>
  trigrams: TrigramSample | undefined
}

const MAX_LISTS = 200
const MAX_SEARCHES = 5000

export const createListCache = (): ListCache => ({
  lists: new LRUCache({ max: MAX_LISTS }),
  searches: new LRUCache({ max: MAX_SEARCHES }),
  trigrams: undefined,
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

/** The database with the lists, and the cached lists. */
export interface ListContext {
  readonly database: Readable
  readonly features: Pick<DialectFeatures, 'search' | 'projectsByIndex'>
  readonly cache: ListCache
}
