import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** The folder and the account of a terminal. */
export interface Seat {
  /** The folder. Its subfolder `.blocks` belongs to the terminal. */
  readonly directory: string
  readonly env: NodeJS.ProcessEnv
  /** Another account of the machine than the account of this process. */
  readonly account?: { readonly uid: number; readonly gid: number } | undefined
}

/** The terminal of a reader: one bash process, whose variables persist from block to block. */
export interface Shell {
  /** Resolves with the output of the commands. Rejects with all output if a command fails. */
  readonly run: (commands: string) => Promise<string>
  readonly close: () => Promise<void>
}

const readIfThere = (path: string): string => (existsSync(path) ? readFileSync(path, 'utf8') : '')

export const openShell = ({ directory: cwd, env, account }: Seat): Shell => {
  const bash = spawn('bash', ['-euo', 'pipefail'], { cwd, env, stdio: ['pipe', 'pipe', 'inherit'], ...account })
  // A shell that has ended reads no more commands; its exit is reported instead.
  bash.stdin.on('error', () => {})
  const exited = once(bash, 'exit')
  const done = createInterface({ input: bash.stdout })
  let count = 0
  return {
    run: async (commands) => {
      count += 1
      const path = join(cwd, '.blocks', `${count}.sh`)
      writeFileSync(path, commands)
      const finished = once(done, 'line')
      bash.stdin.write(`source '${path}' > '${path}.out' 2> '${path}.err' < /dev/null\necho done\n`)
      const hasEnded = await Promise.race([finished.then(() => false), exited.then(() => true)])
      const output = readIfThere(`${path}.out`)
      if (hasEnded) throw new Error(`A command ended with ${bash.exitCode}:\n${output}${readIfThere(`${path}.err`)}`)
      return output
    },
    close: async () => {
      bash.stdin.end()
      await exited
    },
  }
}
