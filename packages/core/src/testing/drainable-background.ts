import type { Background } from '../shared/background.ts'

/** Background work that waits until a test asks for it, so that what happens after an answer is seen to happen after it. */
export interface DrainableBackground extends Background {
  /** Pieces of work that have not been started. */
  readonly waiting: number
  /** Does what waits, and what that adds, one after the other. Rejects with the first failure: work handles its own. */
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
