import type { Outcome } from '../capture.ts'
import { endGroup, startGroup } from './process-group.ts'

export interface AttemptOptions {
  readonly env?: NodeJS.ProcessEnv
  /** Text that the program reads from its standard input. */
  readonly input?: string
}

/** Runs a program in the folder `cwd` to its end. A failure names the command and the folder before what the program printed. */
export type Attempt = (command: string, args: readonly string[], cwd: string, options?: AttemptOptions) => Promise<Outcome>

const TEN_MINUTES = 600_000

/** Returns attempts that end, with every program that they started, when `interrupted` aborts or after `timeout` milliseconds. */
export const createAttempt =
  (interrupted: AbortSignal, timeout = TEN_MINUTES): Attempt =>
  (command, args, cwd, { env = process.env, input = '' } = {}) =>
    new Promise((resolve) => {
      const fail = (reason: string, printed = ''): void =>
        resolve({ ok: false, output: [`$ ${[command, ...args].join(' ')}`, `in ${cwd}: ${reason}`, printed].join('\n').trim() })
      if (interrupted.aborted) return fail('not started, because the release was interrupted')

      const chunks: Buffer[] = []
      const child = startGroup(command, args, { cwd, env, stdio: 'pipe' })
      const stop = AbortSignal.any([interrupted, AbortSignal.timeout(timeout)])
      const end = (): void => endGroup(child)
      stop.addEventListener('abort', end)
      child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk))
      child.stderr?.on('data', (chunk: Buffer) => chunks.push(chunk))
      // A program may end without reading its input.
      child.stdin?.on('error', () => undefined).end(input)
      child.once('error', (error) => {
        stop.removeEventListener('abort', end)
        fail(`could not be started: ${error.message}`)
      })
      child.once('close', (code, signal) => {
        stop.removeEventListener('abort', end)
        const printed = Buffer.concat(chunks).toString('utf8').trim()
        if (stop.aborted) fail(interrupted.aborted ? 'interrupted' : `took more than ${timeout / 1000} s`, printed)
        else if (code === 0) resolve({ ok: true, output: printed })
        else fail(signal === null ? `exit code ${code}` : `ended by ${signal}`, printed)
      })
    })
