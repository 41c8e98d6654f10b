import { performance } from 'node:perf_hooks'

/** Milliseconds that something took. */
export interface Cost {
  /** The first time. */
  readonly first: number
  /** The median of the times after. */
  readonly median: number
}

const REPEATS = 21

const timeOf = async (work: () => Promise<unknown>): Promise<number> => {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

/** @param work Gets the number of its run, so that it can ask for something else each time. */
export const measure = async (work: (run: number) => Promise<unknown>): Promise<Cost> => {
  const first = await timeOf(() => work(0))
  const times: number[] = []
  for (let run = 1; run <= REPEATS; run += 1) times.push(await timeOf(() => work(run)))
  times.sort((a, b) => a - b)
  return { first, median: times[REPEATS >> 1] ?? first }
}
