import { availableParallelism } from 'node:os'
import { startWorker } from './calls.ts'
import { giveWay } from './priority.ts'

/**
 * Keeps every core awake with a loop of the lowest priority, until it is let go. A core that may sleep between two
 * requests takes tens of microseconds to wake, which is as long as a request takes, and a busier contender seems faster.
 */
export const keepAwake = (): { close(): Promise<void> } => {
  const loops = Array.from({ length: availableParallelism() }, () =>
    startWorker(new URL('../workers/busy-loop.ts', import.meta.url)),
  )
  for (const { pid } of loops) giveWay(pid)
  return {
    close: async () => {
      await Promise.all(loops.map((loop) => loop.close()))
    },
  }
}
