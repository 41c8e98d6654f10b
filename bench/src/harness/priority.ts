import { spawnSync } from 'node:child_process'
import { constants, setPriority } from 'node:os'

/** Sets the scheduling policy of a process (sched(7)), where the machine has the command and permits it. */
const schedule = (policy: readonly string[], pid: number): void => {
  if (process.platform === 'linux') spawnSync('chrt', ['--all-tasks', ...policy, String(pid)])
}

/**
 * Runs a process only while a core is idle (`SCHED_IDLE`). On Linux, even the lowest priority takes its share from other
 * processes.
 */
export const giveWay = (pid: number): void => {
  setPriority(pid, constants.priority.PRIORITY_LOW)
  schedule(['--idle', '--pid', '0'], pid)
}

/**
 * Runs a process before all others (`SCHED_FIFO`), which needs a privilege. Otherwise, a client that measures waiting would
 * also measure its own wait for a core.
 */
export const goFirst = (pid: number): void => {
  schedule(['--fifo', '--pid', '1'], pid)
}
