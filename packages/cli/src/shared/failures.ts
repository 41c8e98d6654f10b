import { CommanderError } from 'commander'
import { printable } from './output.ts'

/** Exit codes. `failed`: the operation was refused or went wrong. `usage`: the command line was not understood. */
export const exitCodes = { success: 0, failed: 1, usage: 2 } as const

/** An error of the command line itself. Its message is one clear line for the person who typed the command. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed'
}

/** An error of the typed command line: exit code 2. */
export const usageError = (message: string): CommanderError =>
  new CommanderError(exitCodes.usage, 'commander.missingMandatoryOptionValue', message)

/** The result of a failed command: lines for standard error, and the exit code. */
export interface Failure {
  readonly lines: readonly string[]
  readonly exitCode: number
}

const oneLine = (text: string): string => printable(text.trim().replaceAll(/\s*\n\s*/g, ' '))

const failure = (messages: readonly string[], exitCode: number = exitCodes.failed): Failure => ({
  lines: messages.map((message) => `error: ${oneLine(message)}`),
  exitCode,
})

const ofCommander = (error: CommanderError): Failure => {
  if (error.exitCode === exitCodes.success) return { lines: [], exitCode: exitCodes.success }
  // Commander would print the whole help for a missing command; every error of this program is one line.
  if (error.code === 'commander.help') return failure(['a command is missing; --help lists them'], exitCodes.usage)
  return failure([withNewName(error.message.replace(/^error: /, ''))], exitCodes.usage)
}

/** Names the new option after an unknown option that had another name before the first release. */
const withNewName = (message: string): string =>
  /^unknown option '--(scope|within)\b/.test(message) ? `${message.split('\n')[0]} (now \`--tenant\`)` : message

/** Converts errors of the core and the server. Their modules are loaded here, after one of them has thrown. */
const ofOperation = async (error: unknown): Promise<Failure> => {
  const { errors, FieldNotOpened } = await import('@countersign/core')
  const { failureCode, failureReason, MailNotSent, StartupError } = await import('@countersign/server')
  if (error instanceof StartupError) return failure(error.lines)
  if (error instanceof MailNotSent) return failure([`the mail was not sent, and its code is void: ${failureReason(error)}`])
  // The operator can grant the right (SQLSTATE 42501), and has to wait for nothing.
  if (failureCode(error) === '42501') return failure([failureReason(error)])
  const isAboutReceipts = error instanceof errors.ReceiptsNotConfigured || error instanceof errors.ReceiptsUnavailable
  if (error instanceof errors.Unavailable && !isAboutReceipts)
    return failure([`the database cannot serve now: ${failureReason(error)}`])
  if (error instanceof errors.CountersignError) return failure([error.message])
  if (error instanceof FieldNotOpened) {
    const why =
      error.missingKey === undefined
        ? 'it was changed, or COUNTERSIGN_ENCRYPTION_KEYS has another secret for its key'
        : `the key ${error.missingKey} is not in COUNTERSIGN_ENCRYPTION_KEYS`
    return failure([`a stored field cannot be decrypted: ${why}`])
  }
  const what = error instanceof Error ? `${error.name}: ${error.message}` : 'unknown'
  return failure([`unexpected failure: ${what}`])
}

/** Converts any thrown value into lines and an exit code: one line for each problem, never a stack trace. */
export const toFailure = async (error: unknown): Promise<Failure> => {
  if (error instanceof CommanderError) return ofCommander(error)
  if (error instanceof CommandFailed) return failure([error.message])
  return ofOperation(error)
}
