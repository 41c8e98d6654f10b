import { toFailure } from './failures.ts'
import { createProgram } from './program.ts'
import { guardStandardStreams } from './standard-streams.ts'

/** `help user create` asks what `user create --help` does; Commander's own `help` reads one name only. */
const asHelpOption = (args: readonly string[]): readonly string[] => {
  const [first, ...names] = args
  return first === 'help' && names.length > 1 ? [...names, '--help'] : args
}

/** Runs one command line and sets the exit code of the process, which then ends by itself. */
export const main = async (args: readonly string[]): Promise<void> => {
  guardStandardStreams()
  try {
    await createProgram().parseAsync(asHelpOption(args), { from: 'user' })
  } catch (error) {
    const { lines, exitCode } = await toFailure(error)
    for (const line of lines) process.stderr.write(`${line}\n`)
    process.exitCode = exitCode
  }
}
