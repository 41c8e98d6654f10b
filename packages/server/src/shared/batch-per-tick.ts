import { setImmediate } from 'node:timers'

/** Larger batches gain nothing, and the first item would wait for the last. */
const LARGEST_BATCH = 64

/**
 * Collects the items that arrive within one turn of the event loop, and processes them in one batch. Requests that run at the
 * same time then take each step of the pipeline together, and share one look at the database for changes. See ADR 0018.
 *
 * @param process Is called with a batch, before the event loop reads from sockets again.
 * @returns The function to call with each item.
 */
export const batchPerTick = <T>(process: (batch: readonly T[]) => void): ((item: T) => void) => {
  let waiting: T[] = []
  const processAll = (): void => {
    const batch = waiting
    waiting = []
    if (batch.length > 0) process(batch)
  }
  return (item) => {
    if (waiting.length === 0) setImmediate(processAll)
    waiting.push(item)
    if (waiting.length === LARGEST_BATCH) processAll()
  }
}
