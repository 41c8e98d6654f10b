import { availableParallelism } from 'node:os'

/** The number of hashes that Countersign runs in parallel. */
export const HASHES_AT_ONCE = Math.max(1, availableParallelism() - 1)
