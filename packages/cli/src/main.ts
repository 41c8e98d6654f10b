import { createProgram } from './program.ts'
import type { CommandContext } from './shared/command-context.ts'
import { toFailure } from './shared/failures.ts'
import { withHelpResolved } from './shared/resolve-help.ts'

/** Runs one command line to its end and sets the exit code of the context. */
export const main = async (args: readonly string[], context: CommandContext): Promise<void> => {
  try {
    const program = createProgram(context)
    await program.parseAsync(withHelpResolved(program, args), { from: 'user' })
  } catch (error) {
    const { lines, exitCode } = await toFailure(error)
    for (const line of lines) context.stderr.write(`${line}\n`)
    context.exitCode = exitCode
  }
}
