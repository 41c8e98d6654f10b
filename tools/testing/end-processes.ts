import type { ChildProcess } from 'node:child_process'
import { subscribe } from 'node:diagnostics_channel'
import { isWatch, startWatch } from './start-watch.ts'

/** Remembers the last line. At the end of the input it ends the processes of that line, each with its group if it leads one. */
const END = `
  while read -r line; do last=$line; done
  for one in $last; do kill -KILL "-$one" || kill -KILL "$one"; done`

const running = new Set<number>()
let watch: ChildProcess | undefined

const report = (): void => {
  watch ??= startWatch(END)
  watch.stdin?.write(`${[...running].join(' ')}\n`)
}

/**
 * When a worker of the tests ends in any way, also after a time-out, this ends every process that the worker started and that still
 * runs. Otherwise such a process would keep the output of the worker open, and the run of the tests would never end.
 */
subscribe('child_process', (message) => {
  const { process: child } = message as { readonly process: ChildProcess }
  child.once('spawn', () => {
    const { pid } = child
    if (pid === undefined || isWatch(child)) return
    running.add(pid)
    report()
    child.once('exit', () => {
      running.delete(pid)
      report()
    })
  })
})
