import { type ChildProcess, spawn } from 'node:child_process'

const watches = new WeakSet<ChildProcess>()

/**
 * Runs a script of `sh` that waits for the end of its standard input, which comes when this process ends in any way, even by
 * `kill -9`. The script then removes what this process left behind.
 */
export const startWatch = (script: string, ...args: readonly string[]): ChildProcess => {
  const watch = spawn('sh', ['-c', script, 'sh', ...args], { stdio: ['pipe', 'ignore', 'ignore'], detached: true })
  watches.add(watch)
  watch.unref()
  return watch
}

/** Returns whether a process was started by `startWatch`. */
export const isWatch = (child: ChildProcess): boolean => watches.has(child)
