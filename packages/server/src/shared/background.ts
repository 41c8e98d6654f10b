import { setMaxListeners } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import type { Background, Logger } from '@countersign/core'
import { describeError } from '../logging/error-fields.ts'

/** Background work after responses. A server can wait for it before the server ends. */
export interface TrackedBackground extends Background {
  /** Starts all delayed work immediately. Resolves when no work is running or waiting, including work that other work has added. */
  settled(): Promise<void>
}

export const trackedBackground = (logger: Logger): TrackedBackground => {
  const running = new Set<Promise<void>>()
  const stopping = new AbortController()
  // Any number of pieces of work may wait.
  setMaxListeners(0, stopping.signal)
  const start = async (work: () => Promise<void>, delay: number): Promise<void> => {
    // Starts after the response is sent.
    await new Promise((resolve) => setImmediate(resolve))
    if (delay > 0) await passed(delay, stopping.signal)
    try {
      await work()
    } catch (error) {
      // Work handles its own failures. An unhandled one must not end the process.
      logger.error('background_failed', describeError(error))
    }
  }
  return {
    run: (work, delay = 0) => {
      const done: Promise<void> = start(work, delay).finally(() => running.delete(done))
      running.add(done)
    },
    settled: async () => {
      stopping.abort()
      while (running.size > 0) await Promise.all(running)
    },
  }
}

/** Resolves after the delay, or as soon as the server stops. */
const passed = (delay: number, stopping: AbortSignal): Promise<unknown> =>
  setTimeout(delay, undefined, { signal: stopping }).catch(() => {})
