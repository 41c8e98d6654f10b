import { spawnSync } from 'node:child_process'
import { constants, setPriority } from 'node:os'

/** Puts a process under another policy of the scheduler (sched(7)). Not every machine has the command for it, or lets one. */
const schedule = (policy: readonly string[], pid: number): void => {
  if (process.platform === 'linux') spawnSync('chrt', ['--all-tasks', ...policy, String(pid)])
}

/**
 * Has a process run only where nothing else would. On Linux even the lowest priority has its share beside others, and takes
 * it by the millisecond; there is a policy below it, `SCHED_IDLE`.
 */
export const giveWay = (pid: number): void => {
  setPriority(pid, constants.priority.PRIORITY_LOW)
  schedule(['--idle', '--pid', '0'], pid)
}

/**
 * Has a process run before all others, `SCHED_FIFO`, which takes a privilege. A client that measures how long others wait
 * would measure besides how long it waits for a core itself.
 */
export const goFirst = (pid: number): void => {
  schedule(['--fifo', '--pid', '1'], pid)
}
