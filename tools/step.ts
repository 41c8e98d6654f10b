import { join } from 'node:path'
import { capture, type Outcome } from './capture.ts'
import { repository } from './workspace.ts'

/** One thing to do, of which a person reads one line. */
export interface Step {
  readonly name: string
  readonly run: () => Promise<Outcome>
}

/** Runs one of the development tools, by the name of its command, in the root of the repository. */
export const tool = (command: string, ...args: readonly string[]): Promise<Outcome> =>
  capture(join(repository, 'node_modules', '.bin', command), args, repository)

/** Prints one line with the step's name and time, then, only where it failed, what it said. Resolves with whether it held. */
export const runStep = async ({ name, run }: Step): Promise<boolean> => {
  const begin = performance.now()
  const { ok, output } = await run()
  const seconds = ((performance.now() - begin) / 1000).toFixed(1)
  console.log(`${ok ? '✓' : '✗'} ${name.padEnd(48)}${seconds.padStart(6)} s`)
  if (!ok) console.log(`\n${output}\n`)
  return ok
}
