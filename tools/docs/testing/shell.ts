import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** The folder and the account of a terminal. */
export interface Seat {
  readonly directory: string
  readonly env: NodeJS.ProcessEnv
  /** Another account of the machine than the account of this process. */
  readonly account?: { readonly uid: number; readonly gid: number } | undefined
}

/** Runs commands and keeps the variables. The output goes to files, because a started server may keep a pipe open. */
const SCRIPT = `
  touch .variables && source ./.variables
  eval "$1" > .output 2> .errors < /dev/null
  declare -p | grep -v '^declare -[[:alpha:]]*r' > .variables`

/** Runs commands in bash, with the variables of earlier commands. Resolves with the output. Rejects if a command fails. */
export const runInShell = async ({ directory: cwd, env, account }: Seat, commands: string): Promise<string> => {
  const read = (name: string): string => readFileSync(join(cwd, name), 'utf8')
  await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', SCRIPT, 'bash', commands], { cwd, env, ...account }).catch(
    ({ code }) => {
      throw new Error(`A command ended with ${code}:\n${read('.output')}${read('.errors')}`)
    },
  )
  return read('.output')
}
