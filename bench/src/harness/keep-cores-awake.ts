import { availableParallelism } from 'node:os'
import { startWorker } from './calls.ts'
import { giveWay } from './priority.ts'

/**
 * Keeps every core awake with a loop of the lowest priority until it is closed. A sleeping core needs about as long to wake
 * as a request takes, so a contender that keeps the cores busy would seem faster.
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
