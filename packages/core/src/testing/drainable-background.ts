import type { Background } from '../shared/background.ts'

/** Background work that waits until the test runs it. So a test can check the state before and after the work. */
export interface DrainableBackground extends Background {
  /** The number of pieces of work that have not started. */
  readonly waiting: number
  /** Runs all waiting work, and work that is added meanwhile, one after another. Rejects with the first error. */
  drain(): Promise<void>
}

export const drainableBackground = (): DrainableBackground => {
  const queue: (() => Promise<void>)[] = []
  return {
    run: (work) => {
      queue.push(work)
    },
    get waiting() {
      return queue.length
    },
    drain: async () => {
      for (let work = queue.shift(); work !== undefined; work = queue.shift()) await work()
    },
  }
}
