import { join } from 'node:path'
import { capture, type Outcome } from './capture.ts'
import { repository } from './workspace.ts'

/** A part of a longer task, reported on one line. */
export interface Step {
  readonly name: string
  readonly run: () => Promise<Outcome>
}

/** Runs a development tool by the name of its command, in the root of the repository. */
export const tool = (command: string, ...args: readonly string[]): Promise<Outcome> =>
  capture(join(repository, 'node_modules', '.bin', command), args, repository)

const failed = (error: unknown): Outcome => ({ ok: false, output: error instanceof Error ? error.message : String(error) })

/** Runs a step and prints its name and time on one line, followed by its output if it failed. Resolves with whether it passed. */
export const runStep = async ({ name, run }: Step): Promise<boolean> => {
  const begin = performance.now()
  const { ok, output } = await run().catch(failed)
  const seconds = ((performance.now() - begin) / 1000).toFixed(1)
  console.log(`${ok ? '✓' : '✗'} ${name.padEnd(48)}${seconds.padStart(6)} s`)
  if (!ok) console.log(`\n${output}\n`)
  return ok
}
