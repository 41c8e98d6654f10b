import { createInterface } from 'node:readline/promises'
import { CommanderError } from 'commander'
import type { CommandContext } from './command-context.ts'
import { exitCodes } from './exit-codes.ts'
import { CommandFailed } from './failures.ts'

/** The option that answers the question beforehand. */
export interface Confirmed {
  readonly yes?: boolean
}

/**
 * Asks a person on a terminal to type an expected text, before something that cannot be undone. With `--yes` nothing is asked. A
 * script must pass `--yes`, because nobody can answer.
 *
 * @throws CommanderError without `--yes` and without a terminal, CommandFailed for another text
 */
export const confirm = async (
  { stdin, stderr }: Pick<CommandContext, 'stdin' | 'stderr'>,
  { yes }: Confirmed,
  { warning, expected }: { readonly warning: string; readonly expected: string },
): Promise<void> => {
  if (yes === true) return
  if (stdin.isTTY !== true) {
    throw new CommanderError(exitCodes.usage, 'commander.missingMandatoryOptionValue', "required option '--yes' not specified")
  }
  const interruption = new AbortController()
  const terminal = createInterface({ input: stdin, output: stderr, terminal: true, historySize: 0 })
  // Ctrl-C and Ctrl-D close the interface. Closing does not end the question, so the signal ends it.
  terminal.once('SIGINT', () => terminal.close())
  terminal.once('close', () => interruption.abort())
  try {
    const typed = await terminal.question(`${warning}\nType ${expected} to go on: `, { signal: interruption.signal })
    if (typed.trim() === expected) return
  } catch (cause) {
    throw new CommandFailed('nothing was done', { cause })
  } finally {
    terminal.close()
  }
  throw new CommandFailed('nothing was done: another text was typed')
}
