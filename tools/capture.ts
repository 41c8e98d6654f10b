import { spawn } from 'node:child_process'

export interface Outcome {
  readonly ok: boolean
  /** The printed text, or the reason of the failure. */
  readonly output: string
}

/** Runs a program in the folder `cwd` to its end, and collects what it prints. */
export const capture = (
  command: string,
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<Outcome> =>
  new Promise((resolve) => {
    const chunks: Buffer[] = []
    const keep = (chunk: Buffer): void => {
      chunks.push(chunk)
    }
    const output = (): string => Buffer.concat(chunks).toString('utf8').trim()
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    child.once('error', (error) => resolve({ ok: false, output: `${command} could not be started: ${error.message}` }))
    child.once('close', (code, signal) => {
      resolve({ ok: code === 0, output: signal === null ? output() : `${output()}\n${command} was ended by ${signal}`.trim() })
    })
  })
