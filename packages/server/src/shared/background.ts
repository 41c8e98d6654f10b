import type { Background, Logger } from '@countersign/core'
import { describeError } from '../http/describe-error.ts'

/** Work after answers that a server can wait for before it ends. */
export interface TrackedBackground extends Background {
  /** Resolves once nothing runs or waits, what that work adds included. */
  settled(): Promise<void>
}

export const trackedBackground = (logger: Logger): TrackedBackground => {
  const running = new Set<Promise<void>>()
  const start = async (work: () => Promise<void>): Promise<void> => {
    // The answer goes out first.
    await new Promise((resolve) => setImmediate(resolve))
    try {
      await work()
    } catch (error) {
      // Work handles its own failures; one that does not must not end the process.
      logger.error('background_failed', describeError(error))
    }
  }
  return {
    run: (work) => {
      const done: Promise<void> = start(work).finally(() => running.delete(done))
      running.add(done)
    },
    settled: async () => {
      while (running.size > 0) await Promise.all(running)
    },
  }
}
