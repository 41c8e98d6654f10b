import { Overloaded } from '@countersign/core/storage'

/** A limit for some of the callers, so that the others find a free connection. */
export interface Share {
  /** The greatest number of connections that these callers use at the same time. */
  readonly most: number
  inUse: number
}

interface Waiter {
  readonly begin: () => void
  readonly share: Share
  timer: NodeJS.Timeout | undefined
}

/** A queue for the connections of a pool. */
export interface ConnectionQueue {
  /**
   * Waits for a free connection, in the order of the calls. Gives up if no caller made progress for `patience` milliseconds,
   * and after `longest` milliseconds in any case.
   *
   * @param share Also waits while the callers of this share use all of its connections. Callers of other shares go ahead.
   * @returns The milliseconds at the end of the wait during which no caller made progress
   * @throws Overloaded if the caller gives up
   */
  enter(share?: Share): Promise<number>
  /**
   * Frees a connection.
   *
   * @param madeProgress Whether the caller's work shows that the database is working.
   * @param share The share that the caller entered with.
   */
  leave(madeProgress: boolean, share?: Share): void
  /** Returns how many callers have a connection, and how many wait for one. */
  load(): { readonly inUse: number; readonly waiting: number }
}

export const createConnectionQueue = (
  connections: number,
  { patience, longest }: { readonly patience: number; readonly longest: number },
): ConnectionQueue => {
  const everything: Share = { most: connections, inUse: 0 }
  const waiting = new Set<Waiter>()
  let free = connections
  let progressAt = Number.NEGATIVE_INFINITY

  const mayBegin = (share: Share): boolean => free > 0 && share.inUse < share.most
  const take = (share: Share): void => {
    free -= 1
    share.inUse += 1
  }

  const wait = (share: Share): Promise<number> =>
    new Promise((resolve, reject) => {
      const since = performance.now()
      const stalledSince = (): number => Math.max(since, progressAt)
      const waiter: Waiter = { begin: () => resolve(performance.now() - stalledSince()), share, timer: undefined }
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

  /** Returns the first waiter whose share has a connection left. */
  const nextWaiter = (): Waiter | undefined => {
    for (const waiter of waiting) if (mayBegin(waiter.share)) return waiter
    return undefined
  }

  return {
    enter: async (share = everything) => {
      if (!mayBegin(share)) return wait(share)
      take(share)
      return 0
    },
    leave: (madeProgress, share = everything) => {
      if (madeProgress) progressAt = performance.now()
      free += 1
      share.inUse -= 1
      const next = nextWaiter()
      if (next === undefined) return
      take(next.share)
      waiting.delete(next)
      clearTimeout(next.timer)
      next.begin()
    },
    load: () => ({ inUse: connections - free, waiting: waiting.size }),
  }
}
