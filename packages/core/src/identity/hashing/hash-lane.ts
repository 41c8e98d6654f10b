import pLimit from 'p-limit'
import { Overloaded } from '../../shared/errors.ts'
import type { LaneLoad } from './hasher.ts'

type LaneOptions = Pick<LaneLoad, 'lane' | 'longestWaitMs'> & { readonly concurrency: number }

/** The time that a hash of any cost takes to reach a thread and to come back, in milliseconds. */
const LEAST_MS = 1

/** The weight of the newest hash in the measured average. */
const NEWEST_SHARE = 0.1

/** The greatest pace that a single hash can report. The machine may have been asleep meanwhile. */
const MOST_PACE = 10

/**
 * Creates a queue of hashes that is bounded by the time that they are estimated to take. Its estimates are calibrated by every hash
 * that it measures.
 */
export const hashLane = ({ lane, concurrency, longestWaitMs }: LaneOptions) => {
  const turns = pLimit(concurrency)
  /** The estimated time of all hashes that run or wait. */
  let estimatedTotal = 0
  /** The measured time of a hash, divided by the estimated time. */
  let pace = 1

  const waitMs = (): number => (estimatedTotal * pace) / concurrency
  /** @throws Overloaded if a new hash would wait for longer than the bound */
  const ensureRoom = (): void => {
    const excess = waitMs() - longestWaitMs
    if (excess > 0) throw new Overloaded('Too many logins at once', 'passwords_waiting', { retryAfterMs: Math.max(1000, excess) })
  }
  const measured = async <T>(estimated: number, hash: () => Promise<T>): Promise<T> => {
    const startedAt = performance.now()
    const result = await hash()
    pace += NEWEST_SHARE * (Math.min(MOST_PACE, (performance.now() - startedAt) / estimated) - pace)
    return result
  }
  return {
    ensureRoom,
    /**
     * Runs a hash in its turn, after `guard`, whose time is not measured.
     * @param estimatedMs The estimated time of the hash, on one core of a common server.
     * @throws Overloaded if the hash would wait for longer than the bound
     */
    run: async <T>(estimatedMs: number, hash: () => Promise<T>, guard?: () => Promise<void>): Promise<T> => {
      ensureRoom()
      const estimated = Math.max(LEAST_MS, estimatedMs)
      estimatedTotal += estimated
      try {
        return await turns(async () => {
          await guard?.()
          return measured(estimated, hash)
        })
      } finally {
        estimatedTotal -= estimated
      }
    },
    load: (): LaneLoad => ({ lane, running: turns.activeCount, waiting: turns.pendingCount, waitMs: waitMs(), longestWaitMs }),
  }
}
