import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { CommanderError } from 'commander'
import { CommandFailed } from './command-failed.ts'
import { exitCodes } from './exit-codes.ts'

type Input = NodeJS.ReadableStream & { readonly isTTY?: boolean }

/** Far more than any password; a file piped in by mistake is not read to its end. */
const MOST_BYTES = 16 * 1024

/** One trailing line break is how a shell ends a line; everything else belongs to the password. */
const readPiped = async (input: Input): Promise<string> => {
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

/** Asks on a terminal without showing what is typed. */
const ask = async (question: string, input: Input, prompts: NodeJS.WritableStream): Promise<string> => {
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

const askTwice = async (input: Input, prompts: NodeJS.WritableStream): Promise<string> => {
  const password = await ask('Password: ', input, prompts)
  if ((await ask('Again: ', input, prompts)) !== password) throw new CommandFailed('the two passwords differ')
  return password
}

/** How a command is told the password. */
export interface PasswordSource {
  readonly passwordStdin?: boolean
}

/**
 * Demands `--password-stdin` where nobody can be asked, so that a script never sets as a password what it did not mean.
 *
 * @throws CommanderError
 */
export const requirePasswordSource = ({ passwordStdin }: PasswordSource, input: Input = process.stdin): void => {
  if (passwordStdin === true || input.isTTY === true) return
  throw new CommanderError(
    exitCodes.usage,
    'commander.missingMandatoryOptionValue',
    "required option '--password-stdin' not specified",
  )
}

/**
 * The password on standard input: all of it but one trailing line break. On a terminal it is asked for, twice and
 * unseen. @throws CommandFailed
 */
export const readPassword = (input: Input = process.stdin, prompts: NodeJS.WritableStream = process.stderr): Promise<string> =>
  input.isTTY === true ? askTwice(input, prompts) : readPiped(input)
