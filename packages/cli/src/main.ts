import { createProgram } from './program.ts'
import { toFailure } from './shared/failures.ts'
import { withHelpResolved } from './shared/resolve-help.ts'
import { guardStandardStreams } from './shared/standard-streams.ts'

/** Runs one command line and sets the exit code. The process then ends by itself. */
export const main = async (args: readonly string[]): Promise<void> => {
  guardStandardStreams()
  try {
    const program = createProgram()
    await program.parseAsync(withHelpResolved(program, args), { from: 'user' })
  } catch (error) {
    const { lines, exitCode } = await toFailure(error)
    for (const line of lines) process.stderr.write(`${line}\n`)
    process.exitCode = exitCode
  }
}
