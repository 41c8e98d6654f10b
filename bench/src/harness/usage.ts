import { readFileSync } from 'node:fs'

/** The resources that a process has used so far. */
export interface Usage {
  /** Processor time of all its threads, in user and kernel mode. */
  readonly cpuSeconds: number
  readonly residentBytes: number
}

/** The unit of the figures of the kernel, on every Linux. */
const TICKS_PER_SECOND = 100
/** The positions of `utime` and `stime` (proc_pid_stat(5)), counted from the state, which follows the name in brackets. */
const USER_TIME = 11
const SYSTEM_TIME = 12

/** Reads the usage of a process; `undefined` if the platform has no `/proc`. */
export const readUsage = (pid: number): Usage | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const resident = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]
    return {
      cpuSeconds: (Number(fields[USER_TIME]) + Number(fields[SYSTEM_TIME])) / TICKS_PER_SECOND,
      residentBytes: Number(resident) * 1024,
    }
  } catch {
    return undefined
  }
}
