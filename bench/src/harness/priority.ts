import { spawnSync } from 'node:child_process'
import { availableParallelism, constants, setPriority } from 'node:os'
import { startProgram } from './program.ts'

/** Sets the scheduling policy of a process (sched(7)), if the machine has the command and permits it. */
const schedule = (policy: readonly string[], pid: number): void => {
  if (process.platform === 'linux') spawnSync('chrt', ['--all-tasks', ...policy, String(pid)])
}

/**
 * Runs a process before all others (`SCHED_FIFO`), which needs a privilege. Otherwise, a client that measures waiting would
 * also measure its own wait for a core.
 */
export const goFirst = (pid: number): void => schedule(['--fifo', '--pid', '1'], pid)

/**
 * Keeps every core awake with a loop of the lowest priority until it is closed. A sleeping core needs about as long to wake
 * as a request takes, so a contender that keeps the cores busy would seem faster.
 */
export const keepAwake = (): { close(): Promise<void> } => {
  const loops = Array.from({ length: availableParallelism() }, () =>
    startProgram(new URL('../programs/busy-loop.ts', import.meta.url)),
  )
  for (const { pid } of loops) {
    setPriority(pid, constants.priority.PRIORITY_LOW)
    // On Linux, even the lowest priority takes its share from other processes, except with `SCHED_IDLE`.
    schedule(['--idle', '--pid', '0'], pid)
  }
  return { close: async () => void (await Promise.all(loops.map((loop) => loop.close()))) }
}
