import { exitCodes } from './exit-codes.ts'

/** Takes care of what cannot be written, which otherwise ends the process with a stack trace. */
export const guardStandardStreams = (): void => {
  // What is told beside the answer changes nothing about it, whoever has stopped to listen.
  process.stderr.on('error', () => {})

  let isTold = false
  process.stdout.on('error', ({ code, name }: NodeJS.ErrnoException) => {
    // Whoever reads the output may have seen enough (`countersign user list | head`); that is no failure of ours.
    if (code === 'EPIPE' || isTold) return
    isTold = true
    process.stderr.write(`error: standard output cannot be written (${code ?? name})\n`)
    // At the very end, after whatever the command makes of its exit code.
    process.once('exit', () => {
      process.exitCode = exitCodes.failed
    })
  })
}
