import { readFile, stat } from 'node:fs/promises'
import { type Finding, failed } from './check.ts'

/** The file of the systemd unit, and usual names in the working directory. */
const usualFiles = ['/etc/countersign/countersign.env', 'countersign.env', '.env']

/** Returns the files that Node read variables from, in this process. */
const filesOfNode = (env: Readonly<Record<string, string | undefined>>): readonly string[] =>
  [...process.execArgv, ...(env.NODE_OPTIONS ?? '').split(' ')].flatMap(
    (option) => /^--env-file(?:-if-exists)?=(.+)$/.exec(option)?.[1] ?? [],
  )

/** A line that sets a secret, or a URL that may contain a password. */
const SECRET = /^\s*(?:export\s+)?COUNTERSIGN_\w*(?:KEYS|SECRET|URL)\s*=/m

/** Returns the mode of a file with secrets, and 0 for a file without secrets or a file that cannot be read here. */
const modeOf = async (path: string): Promise<number> => {
  try {
    return SECRET.test(await readFile(path, 'utf8')) ? (await stat(path)).mode & 0o777 : 0
  } catch {
    return 0
  }
}

/** Returns a failed check that names the usual files of variables that others can read; a process does not know its own. */
export const examineEnvironmentFiles = async (
  env: Readonly<Record<string, string | undefined>>,
): Promise<Finding | undefined> => {
  // Windows has no file modes of this kind.
  if (process.platform === 'win32') return undefined
  const files = [...new Set([...filesOfNode(env), ...usualFiles])]
  const modes = await Promise.all(files.map(async (path) => ({ path, mode: await modeOf(path) })))
  const exposed = modes.filter(({ mode }) => (mode & 0o077) !== 0)
  if (exposed.length === 0) return undefined
  const names = exposed.map(({ path, mode }) => `${path} (mode ${mode.toString(8).padStart(3, '0')})`)
  return failed(`others can read ${names.join(', ')}; \`chmod 600 FILE\``)
}
