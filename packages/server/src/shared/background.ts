import type { Background, Logger } from '@countersign/core'
import { describeError } from '../http/describe-error.ts'

/** Background work after responses. A server can wait for it before the server ends. */
export interface TrackedBackground extends Background {
  /** Resolves when no work is running or waiting, including work that other work has added. */
  settled(): Promise<void>
}

export const trackedBackground = (logger: Logger): TrackedBackground => {
  const running = new Set<Promise<void>>()
  const start = async (work: () => Promise<void>): Promise<void> => {
    // Starts after the response is sent.
    await new Promise((resolve) => setImmediate(resolve))
    try {
      await work()
    } catch (error) {
      // Work handles its own failures. An unhandled one must not end the process.
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
