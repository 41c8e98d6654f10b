import { LRUCache } from 'lru-cache'
import type { RateLimitRow } from './rate-limit-rows.ts'

/**
 * The rows that this process wrote last, by their keys. They save the read before most writes. If another process has changed a
 * row since then, a write that expects the known row has no effect.
 */
export interface KnownRows {
  get(key: string): RateLimitRow | undefined
  set(key: string, row: RateLimitRow): void
}

/** The greatest length of all known rows together, in characters: enough for 20,000 callers who sent a few requests. */
const MOST_CHARACTERS = 4_000_000
/** The memory that a row needs in addition to its texts, as characters. */
const OVERHEAD = 100

export const createKnownRows = (): KnownRows => {
  const rows = new LRUCache<string, RateLimitRow>({
    maxSize: MOST_CHARACTERS,
    sizeCalculation: ({ allowed_at }, key) => OVERHEAD + key.length + allowed_at.length,
  })
  return { get: (key) => rows.get(key), set: (key, row) => void rows.set(key, row) }
}

/** For a transaction, whose writes may be rolled back. */
export const noKnownRows: KnownRows = { get: () => undefined, set: () => {} }
