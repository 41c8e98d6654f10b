import { Overloaded } from '@countersign/core/storage'

/** Milliseconds after which the database is asked again for more connections than it last gave. */
const GROW_AGAIN = 5000

/** A limit for some of the callers, so that the others find a free connection. */
export interface Share {
  /** The greatest number of connections that these callers use at the same time. */
  most: number
  inUse: number
  /** The time (`performance.now()`) at which the work of one of these callers last showed that the database is working. */
  progressAt: number
}

/** Creates a share that nobody uses yet. */
export const shareOf = (most: number): Share => ({ most, inUse: 0, progressAt: Number.NEGATIVE_INFINITY })

interface Waiter {
  readonly begin: () => void
  readonly shares: readonly Share[]
  timer: NodeJS.Timeout | undefined
}

export interface ConnectionQueue {
  /**
   * Waits for a free connection, in the order of the calls, also within `shares`. Gives up if no caller of them made progress for
   * `patience` milliseconds, and after `longest`. Returns the milliseconds without progress at the end. @throws Overloaded
   */
  enter(shares?: readonly Share[]): Promise<number>
  /** Frees a connection. `madeProgress` says whether the caller's work shows that the database is working. */
  leave(madeProgress: boolean, shares?: readonly Share[]): void
  /** Uses at most so many connections for some time. Called when the database refuses more. */
  settleFor(connections: number): void
  /** Returns how many connections are in use, and how many callers wait for one. */
  load(): { readonly inUse: number; readonly waiting: number }
}

export const createConnectionQueue = (
  connections: number,
  { patience, longest }: { readonly patience: number; readonly longest: number },
): ConnectionQueue => {
  const everything = shareOf(connections)
  const waiting = new Set<Waiter>()
  let growing: NodeJS.Timeout | undefined

  const withEverything = (shares: readonly Share[] = []): readonly Share[] => [everything, ...shares]
  const mayBegin = (shares: readonly Share[]): boolean => shares.every(({ inUse, most }) => inUse < most)
  const take = (shares: readonly Share[]): void => {
    for (const share of shares) share.inUse += 1
  }

  const wait = (shares: readonly Share[]): Promise<number> =>
    new Promise((resolve, reject) => {
      const since = performance.now()
      const stalledSince = (): number => Math.max(since, Math.min(...shares.map(({ progressAt }) => progressAt)))
      const waiter: Waiter = { begin: () => resolve(performance.now() - stalledSince()), shares, timer: undefined }
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

  /** Returns the first waiter whose shares have a connection left. */
  const nextWaiter = (): Waiter | undefined => {
    for (const waiter of waiting) if (mayBegin(waiter.shares)) return waiter
    return undefined
  }

  const beginNext = (): void => {
    for (let next = nextWaiter(); next !== undefined; next = nextWaiter()) {
      take(next.shares)
      waiting.delete(next)
      clearTimeout(next.timer)
      next.begin()
    }
  }

  const growAgain = (): void => {
    everything.most = connections
    beginNext()
  }

  return {
    enter: async (own) => {
      const shares = withEverything(own)
      if (!mayBegin(shares)) return wait(shares)
      take(shares)
      return 0
    },
    leave: (madeProgress, own) => {
      for (const share of withEverything(own)) {
        share.inUse -= 1
        if (madeProgress) share.progressAt = performance.now()
      }
      beginNext()
    },
    settleFor: (settled) => {
      everything.most = Math.max(1, Math.min(everything.most, settled))
      clearTimeout(growing)
      growing = setTimeout(growAgain, GROW_AGAIN)
      growing.unref()
    },
    load: () => ({ inUse: everything.inUse, waiting: waiting.size }),
  }
}

/** Limits writes to four fifths of the pool, so that reads find a connection while every write waits. See ADR 0026. */
export const writesShare = (poolSize: number): Share => shareOf(Math.max(1, poolSize - Math.max(1, Math.floor(poolSize / 5))))

/** Limits projects to three quarters of the connections for writes, so that logins and approvals find one. See ADR 0029. */
export const projectsShare = ({ most }: Share): Share => shareOf(Math.max(1, Math.floor(most * 0.75)))
