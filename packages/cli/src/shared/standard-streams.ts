import { exitCodes } from './failures.ts'

/** Handles write errors of the standard streams, which would otherwise end the process with a stack trace. */
export const guardStandardStreams = (): void => {
  // Standard error has messages only, not the answer. A write error there does not change the result.
  process.stderr.on('error', () => {})

  let isTold = false
  process.stdout.on('error', ({ code, name }: NodeJS.ErrnoException) => {
    // A reader may close the pipe early (`countersign user list | head`). This is not a failure.
    if (code === 'EPIPE' || isTold) return
    isTold = true
    process.stderr.write(`error: standard output cannot be written (${code ?? name})\n`)
    // At the very end, because the command sets its own exit code before.
    process.once('exit', () => {
      process.exitCode = exitCodes.failed
    })
  })
}
