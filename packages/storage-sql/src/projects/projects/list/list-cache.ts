import { LRUCache } from 'lru-cache'
import type { GramSample } from './gram-sample.ts'

/** A row of a list by which it can be entered again: its place counted from the lower end, and what it is sorted by. */
export interface Anchor {
  readonly position: number
  readonly key: string | number
  readonly id: string
}

/** What a process remembers of one list (filters, search and sort key), as of one version of all lists. */
export interface CachedList {
  readonly version: number
  /** By rising position. */
  readonly anchors: Anchor[]
}

/** What a process remembers of one search with its filters, as of one version of all lists. */
export interface CachedSearch {
  readonly version: number
  /** Exact. */
  readonly total: number
  /** Every match, where there are few. */
  readonly matches?: readonly number[]
}

/** What a process remembers of lists, so that asking again costs less. All of it can be lost and is then found anew. */
export interface ListCache {
  readonly lists: LRUCache<string, CachedList>
  /** By filters and needle. */
  readonly searches: LRUCache<string, CachedSearch>
  /** Which projects of a sample have each trigram; what the sample does not have is rare. */
  grams: GramSample | undefined
}

const MOST_LISTS = 200
const MOST_SEARCHES = 5000

export const createListCache = (): ListCache => ({
  lists: new LRUCache({ max: MOST_LISTS }),
  searches: new LRUCache({ max: MOST_SEARCHES }),
  grams: undefined,
})
