import { Readable, Writable } from 'node:stream'
import { main } from '../main.ts'
import type { CommandContext } from '../shared/command-context.ts'

/** The result of a command. */
export interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** The input of a command. */
export interface CommandInput {
  /** The text piped to standard input; empty by default. */
  readonly stdin?: string | undefined
  /** Further environment variables; `undefined` removes a variable. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined
}

/** Collects the text that a command writes. */
const collectText = () => {
  const chunks: Buffer[] = []
  const stream = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      chunks.push(chunk)
      done()
    },
  })
  return { stream, text: () => Buffer.concat(chunks).toString() }
}

/** Runs a command in the test process, without the time that a new process needs. The command sees only the given variables. */
export const runInTestProcess = async (args: readonly string[], { stdin = '', env = {} }: CommandInput): Promise<Ran> => {
  const stdout = collectText()
  const stderr = collectText()
  const context: CommandContext = {
    env: Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined)),
    stdin: Readable.from([Buffer.from(stdin)]),
    stdout: stdout.stream,
    stderr: stderr.stream,
  }
  await main(args, context)
  return { code: Number(context.exitCode ?? 0), stdout: stdout.text(), stderr: stderr.text() }
}
