import type { Background } from '../shared/background.ts'
import type { Clock } from '../shared/clock.ts'

/** Background work that waits until the test runs it. So a test can check the state before and after the work. */
export interface DrainableBackground extends Background {
  /** The number of pieces of work that have not started. */
  readonly waiting: number
  /**
   * Runs all waiting work that is due, and work that is added meanwhile, one after another. Delayed work is due when the clock of
   * the test has moved by its delay. Rejects with the first error.
   */
  drain(): Promise<void>
}

/** @param clock Tells when delayed work is due. Without a clock, it is due at once. */
export const drainableBackground = (clock?: Clock): DrainableBackground => {
  const now = () => clock?.now() ?? Number.POSITIVE_INFINITY
  const queue: { readonly work: () => Promise<void>; readonly dueAt: number }[] = []
  const nextDue = () => queue.splice(queue.findIndex(({ dueAt }) => dueAt <= now()) >>> 0, 1)[0]
  return {
    run: (work, delay = 0) => {
      queue.push({ work, dueAt: delay > 0 ? now() + delay : 0 })
    },
    get waiting() {
      return queue.length
    },
    drain: async () => {
      for (let next = nextDue(); next !== undefined; next = nextDue()) await next.work()
    },
  }
}
