import { spawnSync } from 'node:child_process'
import { availableParallelism, constants, setPriority } from 'node:os'
import { startWorker } from './calls.ts'

/**
 * Has a process run only where nothing else would. On Linux even the lowest priority has its share beside others, and takes
 * it by the millisecond; there is a policy below it (sched(7), `SCHED_IDLE`), which not every machine has the command for.
 */
const giveWay = (pid: number): void => {
  setPriority(pid, constants.priority.PRIORITY_LOW)
  if (process.platform === 'linux') spawnSync('chrt', ['--idle', '--pid', '0', String(pid)])
}

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
