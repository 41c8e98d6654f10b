import { setTimeout } from 'node:timers/promises'
import { asUnavailable, isBusy } from './errors.ts'

/** Milliseconds. */
const PATIENCE = 5000
const LONGEST_PAUSE = 20

/**
 * Repeats `attempt` while SQLite is busy, for at most `patience` milliseconds. SQLite's own busy timeout would block the whole
 * process meanwhile. @throws Unavailable
 */
export const retryWhileBusy = async <T>(attempt: () => T, patience = PATIENCE): Promise<T> => {
  const deadline = performance.now() + patience
  for (let pause = 1; ; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
    try {
      return attempt()
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw asUnavailable(error)
    }
    // A random pause, so that waiting processes do not retry at the same time.
    await setTimeout(pause * (0.5 + Math.random()))
  }
}
