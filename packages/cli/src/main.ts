import type { Command } from 'commander'
import { createProgram } from './program.ts'
import type { CommandContext } from './shared/command-context.ts'
import { toFailure } from './shared/failures.ts'

/**
 * Converts every form of asking for help into the form that Commander reads: `help user create` and `user help create` mean `user
 * create --help`. An unknown name stays the last word, so that Commander refuses it by name.
 */
const withHelpResolved = (program: Command, args: readonly string[]): readonly string[] => {
  const path: string[] = []
  let command = program
  let asksForHelp = false
  for (const word of args) {
    if (command.commands.length === 0) break
    // Options before a subcommand take no value, so every other word is a command name.
    if (word.startsWith('-')) continue
    if (word === 'help') {
      asksForHelp = true
      continue
    }
    path.push(word)
    const next = command.commands.find((one) => one.name() === word)
    if (next === undefined) return command.registeredArguments.length > 0 && !asksForHelp ? args : path
    command = next
  }
  return asksForHelp ? [...path, '--help'] : args
}

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
