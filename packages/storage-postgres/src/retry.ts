import { performance } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'
import { Unavailable } from '@countersign/core/storage'
import { canTryAgain, LostConnection } from './errors.ts'

const RETRIES = 3
/** Milliseconds. */
const FIRST_PAUSE = 10
/** Milliseconds after which lost work is not tried again: whoever waits for it has waited long enough. */
const LOST_PATIENCE = 1000

const pauseBefore = (attempt: number): Promise<void> => setTimeout(FIRST_PAUSE * 2 ** attempt * (0.5 + Math.random()))

/**
 * Runs the work again, three times at most and after growing, scattered pauses, where the database gave it up in favour of
 * another transaction, or where a connection was lost and it is certain that nothing of the work remains: a server that was
 * started anew costs no request for each connection to its former self.
 *
 * @param options.leavesNothing Whether the work only reads, and so can always be run again.
 * @throws Unavailable where that did not help
 */
export const retried = async <T>(work: () => Promise<T>, { leavesNothing = false } = {}): Promise<T> => {
  const startedAt = performance.now()
  const mayRunAgain = (error: unknown): boolean => {
    if (!(error instanceof LostConnection)) return canTryAgain(error)
    return (leavesNothing || !error.mayBeDone) && performance.now() - startedAt < LOST_PATIENCE
  }
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if (!mayRunAgain(error)) throw error
      if (attempt === RETRIES) throw error instanceof Unavailable ? error : new Unavailable(undefined, { cause: error })
    }
    await pauseBefore(attempt)
  }
}
