import { LRUCache } from 'lru-cache'
import type { RateLimitRow } from './rate-limit-rows.ts'

/**
 * The rows that this process wrote last, by their keys. They save the read before most writes. Where another process has changed a
 * row since then, a write that expects the known row has no effect.
 */
export interface KnownRows {
  get(key: string): RateLimitRow | undefined
  set(key: string, row: RateLimitRow): void
}

/** The greatest number of known rows. Each takes some hundred bytes. */
const MOST_KNOWN = 10_000

export const createKnownRows = (): KnownRows => {
  // `maxSize`, because with `max` the library would allocate arrays of that length immediately.
  const rows = new LRUCache<string, RateLimitRow>({ maxSize: MOST_KNOWN, sizeCalculation: () => 1 })
  return { get: (key) => rows.get(key), set: (key, row) => void rows.set(key, row) }
}

/** For a transaction, whose writes may be rolled back. */
export const noKnownRows: KnownRows = { get: () => undefined, set: () => {} }
