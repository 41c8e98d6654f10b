import { Overloaded } from '@countersign/core/storage'

interface Waiter {
  readonly begin: () => void
  timer: NodeJS.Timeout | undefined
}

/** A queue for the connections of a pool. */
export interface ConnectionQueue {
  /**
   * Waits for a free connection, in the order of the calls. Gives up if no caller made progress for `patience` milliseconds,
   * and after `longest` milliseconds in any case.
   *
   * @returns The milliseconds at the end of the wait during which no caller made progress
   * @throws Overloaded if the caller gives up
   */
  enter(): Promise<number>
  /** Frees a connection. @param madeProgress Whether the caller's work shows that the database is working. */
  leave(madeProgress: boolean): void
  /** Returns how many callers have a connection, and how many wait for one. */
  load(): { readonly inUse: number; readonly waiting: number }
}

export const createConnectionQueue = (
  connections: number,
  { patience, longest }: { readonly patience: number; readonly longest: number },
): ConnectionQueue => {
  const waiting = new Set<Waiter>()
  let free = connections
  let progressAt = Number.NEGATIVE_INFINITY

  const wait = (): Promise<number> =>
    new Promise((resolve, reject) => {
      const since = performance.now()
      const stalledSince = (): number => Math.max(since, progressAt)
      const waiter: Waiter = { begin: () => resolve(performance.now() - stalledSince()), timer: undefined }
      const checkDeadline = () => {
        const left = Math.min(since + longest, stalledSince() + patience) - performance.now()
        if (left > 0) {
          waiter.timer = setTimeout(checkDeadline, left)
          return
        }
        waiting.delete(waiter)
        reject(new Overloaded('Service temporarily unavailable', 'connections_in_use'))
      }
      waiting.add(waiter)
      checkDeadline()
    })

  return {
    enter: async () => {
      if (free === 0) return wait()
      free -= 1
      return 0
    },
    leave: (madeProgress) => {
      if (madeProgress) progressAt = performance.now()
      const [next] = waiting
      if (next === undefined) {
        free += 1
        return
      }
      waiting.delete(next)
      clearTimeout(next.timer)
      next.begin()
    },
    load: () => ({ inUse: connections - free, waiting: waiting.size }),
  }
}
