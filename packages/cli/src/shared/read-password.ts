import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { CommanderError } from 'commander'
import type { CommandContext, InputStream } from './command-context.ts'
import { exitCodes } from './exit-codes.ts'
import { CommandFailed } from './failures.ts'

/** The longest input that is read. No password is as long; a large file piped in by mistake is not read to its end. */
const MOST_BYTES = 16 * 1024

/** Reads a piped password. A shell ends a line with one line break; every other character belongs to the password. */
const readPiped = async (input: InputStream): Promise<string> => {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of input) {
    const bytes = Buffer.from(chunk)
    chunks.push(bytes)
    length += bytes.length
    if (length > MOST_BYTES) throw new CommandFailed('standard input holds more than a password')
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(chunks))
    return text.replace(/\r?\n$/, '')
  } catch (cause) {
    throw new CommandFailed('the password on standard input is not UTF-8 text', { cause })
  }
}

/** Asks a question on a terminal without showing what is typed. */
const ask = async (question: string, input: InputStream, prompts: NodeJS.WritableStream): Promise<string> => {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const interruption = new AbortController()
  const terminal = createInterface({ input, output: nowhere, terminal: true, historySize: 0 })
  // Ctrl-C and Ctrl-D close the interface.
  terminal.once('SIGINT', () => terminal.close())
  terminal.once('close', () => interruption.abort())
  prompts.write(question)
  try {
    return await terminal.question('', { signal: interruption.signal })
  } catch (cause) {
    throw new CommandFailed('no password was given', { cause })
  } finally {
    terminal.close()
    prompts.write('\n')
  }
}

const askTwice = async (input: InputStream, prompts: NodeJS.WritableStream): Promise<string> => {
  const password = await ask('Password: ', input, prompts)
  if ((await ask('Again: ', input, prompts)) !== password) throw new CommandFailed('the two passwords differ')
  return password
}

/** The option that selects how a command gets the password. */
export interface PasswordSource {
  readonly passwordStdin?: boolean
}

/**
 * Demands `--password-stdin` if there is no terminal to ask on, so that a script never sets a password by accident.
 *
 * @throws CommanderError
 */
export const requirePasswordSource = ({ passwordStdin }: PasswordSource, { stdin }: Pick<CommandContext, 'stdin'>): void => {
  if (passwordStdin === true || stdin.isTTY === true) return
  throw new CommanderError(
    exitCodes.usage,
    'commander.missingMandatoryOptionValue',
    "required option '--password-stdin' not specified",
  )
}

/**
 * Reads the password: from a terminal by asking twice without showing it, else from standard input without the last line
 * break.
 *
 * @throws CommandFailed
 */
export const readPassword = ({ stdin, stderr }: Pick<CommandContext, 'stdin' | 'stderr'>): Promise<string> =>
  stdin.isTTY === true ? askTwice(stdin, stderr) : readPiped(stdin)
