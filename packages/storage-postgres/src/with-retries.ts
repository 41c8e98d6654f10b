import { performance } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'
import { Unavailable } from '@countersign/core/storage'
import { canRetry, LostConnection } from './errors.ts'
import { reasonOf } from './reason-of.ts'

const RETRIES = 3
/** Milliseconds. */
const FIRST_PAUSE = 10
/** Milliseconds after which work that lost its connection is not repeated: its caller has waited long enough. */
const MAX_LOST_CONNECTION_TIME = 1000

const pauseBefore = (attempt: number): Promise<void> => setTimeout(FIRST_PAUSE * 2 ** attempt * (0.5 + Math.random()))

/**
 * Runs the work, and repeats it up to three times with growing, random pauses if PostgreSQL rolled it back in favour of another
 * transaction, or if a connection was lost and the work only reads or was certainly not committed. @throws Unavailable
 */
export const withRetries = async <T>(work: () => Promise<T>, { isReadOnly = false } = {}): Promise<T> => {
  const startedAt = performance.now()
  const mayRepeat = (error: unknown): boolean => {
    if (!(error instanceof LostConnection)) return canRetry(error)
    return (isReadOnly || !error.mayBeCommitted) && performance.now() - startedAt < MAX_LOST_CONNECTION_TIME
  }
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if (!mayRepeat(error)) throw error
      if (attempt === RETRIES)
        throw error instanceof Unavailable ? error : new Unavailable(undefined, { cause: error, reason: reasonOf(error) })
    }
    await pauseBefore(attempt)
  }
}
