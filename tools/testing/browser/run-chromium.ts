import { execFile } from 'node:child_process'

/** A Chromium that can be started. */
export interface Chromium {
  readonly executablePath: string
  /** Environment variables in addition to the variables of this process. */
  readonly env: Readonly<Record<string, string>>
}

/** Milliseconds. A browser prints its version immediately; a program that waits cannot be used for tests. */
const LONGEST_START = 20_000

/** Returns why a Chromium does not run here, in one line; `undefined` if `--version` works. */
export const whyItDoesNotRun = ({ executablePath, env }: Chromium): Promise<string | undefined> =>
  new Promise((resolve) => {
    const options = { env: { ...process.env, ...env }, timeout: LONGEST_START, killSignal: 'SIGKILL' } as const
    execFile(executablePath, ['--version'], options, (error, stdout, stderr) => {
      if (error === null && /\d+\.\d+/.test(stdout)) return resolve(undefined)
      const said = stderr.trim() || error?.message || 'it does not tell its version'
      resolve(`${executablePath}: ${said.split('\n', 1)[0]}`)
    })
  })
