import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'

/** Starts a program that leads a process group, so that `endGroup` reaches the programs that it starts itself. */
export const startGroup = (command: string, args: readonly string[], options: SpawnOptions): ChildProcess =>
  spawn(command, args, { ...options, detached: true })

/** Ends a program and every program that it started. Does nothing if the whole group has ended already. */
export const endGroup = ({ pid }: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): void => {
  if (pid === undefined) return
  try {
    process.kill(-pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
