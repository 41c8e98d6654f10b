import { Writable } from 'node:stream'
import type { CommandContext, InputStream } from './command-context.ts'
import { ask } from './confirm.ts'
import { CommandFailed, usageError } from './failures.ts'
import type { Flags } from './option-values.ts'
import { collectAtMost } from './read-at-most.ts'

/** The longest input that is read. No password is as long; a large file piped in by mistake is not read to its end. */
const MOST_BYTES = 16 * 1024

/** Reads a piped password. A shell ends a line with one line break; every other character belongs to the password. */
const readPiped = async (input: InputStream): Promise<string> => {
  const bytes = await collectAtMost(input, MOST_BYTES)
  if (bytes === undefined) throw new CommandFailed('standard input holds more than a password')
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return text.replace(/\r?\n$/, '')
  } catch (cause) {
    throw new CommandFailed('the password on standard input is not UTF-8 text', { cause })
  }
}

/** Asks on a terminal twice, without showing the input. */
const askTwice = async (input: InputStream, prompts: NodeJS.WritableStream): Promise<string> => {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const askFor = (question: string): Promise<string> => {
    // The terminal stops showing input first, because somebody may type as soon as the question is shown.
    const answer = ask('', input, nowhere, 'no password was given')
    prompts.write(question)
    return answer.finally(() => prompts.write('\n'))
  }
  const password = await askFor('Password: ')
  if ((await askFor('Again: ')) !== password) throw new CommandFailed('the two passwords differ')
  return password
}

/** The option that selects how a command gets the password. */
export type PasswordSource = Flags<'passwordStdin'>

/** Demands `--password-stdin` without a terminal, so that a script never sets a password by accident. @throws CommanderError */
export const requirePasswordSource = ({ passwordStdin }: PasswordSource, { stdin }: Pick<CommandContext, 'stdin'>): void => {
  if (passwordStdin === true || stdin.isTTY === true) return
  throw usageError("required option '--password-stdin' not specified")
}

/** Reads the password: hidden and twice on a terminal, or from a pipe without the last line break. @throws CommandFailed */
export const readPassword = ({ stdin, stderr }: Pick<CommandContext, 'stdin' | 'stderr'>): Promise<string> =>
  stdin.isTTY === true ? askTwice(stdin, stderr) : readPiped(stdin)
