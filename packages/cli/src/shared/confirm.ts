import { createInterface } from 'node:readline/promises'
import type { CommandContext, InputStream } from './command-context.ts'
import { CommandFailed, usageError } from './failures.ts'
import type { Flags } from './option-values.ts'
import { printable } from './output.ts'

/** Asks a question on a terminal. @throws CommandFailed with this message if the person ends the question */
export const ask = async (
  question: string,
  input: InputStream,
  output: NodeJS.WritableStream,
  refusal: string,
): Promise<string> => {
  const interruption = new AbortController()
  const terminal = createInterface({ input, output, terminal: true, historySize: 0 })
  // Ctrl-C and Ctrl-D close the interface. Closing does not end the question, so the signal ends it.
  terminal.once('SIGINT', () => terminal.close())
  terminal.once('close', () => interruption.abort())
  try {
    return await terminal.question(question, { signal: interruption.signal })
  } catch (cause) {
    throw new CommandFailed(refusal, { cause })
  } finally {
    terminal.close()
  }
}

export const databaseOf = async (env: CommandContext['env']): Promise<string> => {
  const { checkConfig, shownDatabase } = await import('@countersign/server')
  return shownDatabase(checkConfig(env).config.databaseUrl)
}

/** The option that answers the question beforehand. */
export type Confirmed = Flags<'yes'>

export const yesOption = ['--yes', 'do not ask; a script must pass this option'] as const

/**
 * Asks a person to type an expected text before something that cannot be undone. A script passes `--yes`, because nobody can
 * answer. @throws CommanderError without `--yes` and without a terminal, CommandFailed for another text
 */
export const confirm = async (
  { env, stdin, stderr }: Pick<CommandContext, 'env' | 'stdin' | 'stderr'>,
  { yes }: Confirmed,
  { warning, expected }: { readonly warning: string; readonly expected: string },
): Promise<void> => {
  if (yes === true) return
  if (stdin.isTTY !== true) throw usageError("required option '--yes' not specified")
  const typed = await ask(
    `Database: ${printable(await databaseOf(env))}\n${warning}\nType ${expected} to go on: `,
    stdin,
    stderr,
    'nothing was done',
  )
  if (typed.trim() !== expected) throw new CommandFailed('nothing was done: another text was typed')
}
