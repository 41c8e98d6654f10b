import { availableParallelism } from 'node:os'

/** Hashes that Countersign has run at once. */
export const HASHES_AT_ONCE = Math.max(1, availableParallelism() - 1)
