import { CommanderError } from 'commander'
import { CommandFailed } from './command-failed.ts'
import { exitCodeOf, exitCodes } from './exit-codes.ts'
import { printable } from './output.ts'

/** What a failure is to whoever called: lines for standard error, and the exit code. */
export interface Failure {
  readonly lines: readonly string[]
  readonly exitCode: number
}

const oneLine = (text: string): string => printable(text.trim().replaceAll(/\s*\n\s*/g, ' '))

const failure = (messages: readonly string[], exitCode: number): Failure => ({
  lines: messages.map((message) => `error: ${oneLine(message)}`),
  exitCode,
})

const ofCommander = (error: CommanderError): Failure => {
  if (error.exitCode === exitCodes.success) return { lines: [], exitCode: exitCodes.success }
  // Commander prints the whole help where a command is missing; here an error is one line.
  if (error.code === 'commander.help') return failure(['a command is missing; --help lists them'], exitCodes.usage)
  return failure([error.message.replace(/^error: /, '')], exitCodes.usage)
}

/** What the core and the server throw; by now, they are loaded. */
const ofOperation = async (error: unknown): Promise<Failure> => {
  const { CountersignError, Unavailable } = await import('@countersign/core')
  const { failureCode, lacksRight, StartupError } = await import('@countersign/server')
  if (error instanceof Unavailable)
    return failure([`the database cannot serve now (${failureCode(error)})`], exitCodeOf[error.kind])
  if (error instanceof CountersignError) return failure([error.message], exitCodeOf[error.kind])
  if (error instanceof StartupError) return failure(error.lines, exitCodes.failed)
  if (lacksRight(error))
    return failure([`the role of the database lacks a right that this needs (${failureCode(error)})`], exitCodes.failed)
  const what = error instanceof Error ? `${error.name}: ${error.message}` : 'unknown'
  return failure([`unexpected failure: ${what}`], exitCodes.failed)
}

/** Turns whatever was thrown into lines and an exit code. Never a stack trace, and one line for each thing wrong. */
export const toFailure = async (error: unknown): Promise<Failure> => {
  if (error instanceof CommanderError) return ofCommander(error)
  if (error instanceof CommandFailed) return failure([error.message], exitCodes.failed)
  return ofOperation(error)
}
