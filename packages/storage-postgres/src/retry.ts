import { setTimeout } from 'node:timers/promises'
import { Unavailable } from '@countersign/core'
import { canTryAgain } from './errors.ts'

const RETRIES = 3
const FIRST_PAUSE = 10

/**
 * Runs the work again, three times at most and after growing, scattered pauses, where the database gave it up in favour of
 * another transaction. @throws Unavailable where it did so each time
 */
export const retried = async <T>(work: () => Promise<T>): Promise<T> => {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      if (!canTryAgain(error)) throw error
      if (attempt === RETRIES) throw new Unavailable(undefined, { cause: error })
    }
    await setTimeout(FIRST_PAUSE * 2 ** attempt * (0.5 + Math.random()))
  }
}
