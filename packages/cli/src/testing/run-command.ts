import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { generateKeyRing, systemRandom } from '@countersign/core'
import { compileCache } from '../../../../tools/testing/compile-cache.ts'
import { createDatabaseDirectory } from '../../../../tools/testing/create-database-directory.ts'
import { type CommandInput, type Ran, runInTestProcess } from './run-in-test-process.ts'

type OutputStream = 'stdout' | 'stderr'

/** The input of a command, and faults of its standard streams. A command in the test process has no such faults; a process has. */
export interface ProcessOptions extends CommandInput {
  /** A stream whose reader has gone before the command writes. */
  readonly unread?: OutputStream
  /** A stream to a full disk. Linux only. */
  readonly full?: OutputStream
  /** Makes the modes of files bind the process, also if the tests run as root. */
  readonly obeysModes?: boolean
}

/** Starts a program without the right of root to ignore the modes of files. The package util-linux has `setpriv`. */
const withoutOverride = [
  'setpriv',
  '--bounding-set',
  '-dac_override,-dac_read_search',
  '--inh-caps',
  '-dac_override,-dac_read_search',
]

/** A directory for one test, whose SQLite database does not exist yet. Commands here see no other environment. */
export interface Workplace {
  readonly directory: string
  readonly env: Readonly<Record<string, string>>
  /** Runs the command in the test process. Relative paths there begin at the working directory of the tests. */
  run(args: readonly string[], input?: CommandInput): Promise<Ran>
  /** Runs the command with `--json` and returns its answer. Throws if the command failed or printed anything else. */
  json(args: readonly string[], input?: CommandInput): Promise<unknown>
  /**
   * Runs the built command in a process of its own, in the directory of the workplace. Starting a process takes long, so only
   * tests of the process itself use this: its directory, streams and signals.
   */
  runProcess(args: readonly string[], options?: ProcessOptions): Promise<Ran>
  remove(): void
}

/** The built command, which people install. `npm test` builds it first. It starts in a third of the time of the sources. */
export const BUILT_COMMAND = join(import.meta.dirname, '..', '..', 'dist', 'bin.js')

/** Ends a process that hangs, so that its test fails and the process does not outlive the test. */
export const bounded = { timeout: 25_000, killSignal: 'SIGKILL' } as const

/** Runs Node in a workplace to its end. */
export const runNode = async (
  { directory, env }: Pick<Workplace, 'directory' | 'env'>,
  node: string,
  args: readonly string[],
  { stdin = '', env: further = {}, unread, full, obeysModes = false }: ProcessOptions = {},
): Promise<Ran> => {
  const disk = full === undefined ? undefined : openSync('/dev/full', 'w')
  const prefix = obeysModes && process.getuid?.() === 0 ? withoutOverride : []
  const [program = node, ...programArgs] = [...prefix, node, ...args]
  const child = spawn(program, programArgs, {
    cwd: directory,
    env: { ...compileCache, ...env, ...further },
    stdio: ['pipe', (full === 'stdout' && disk) || 'pipe', (full === 'stderr' && disk) || 'pipe'],
    ...bounded,
  })
  if (disk !== undefined) closeSync(disk)
  // A command that reads no input may have ended already (EPIPE).
  child.stdin?.on('error', () => undefined).end(stdin)
  if (unread !== undefined) child[unread]?.destroy()
  const textOf = (name: OutputStream) => (child[name] === null || name === unread ? '' : text(child[name]))
  const [stdout, stderr, [code]] = await Promise.all([textOf('stdout'), textOf('stderr'), once(child, 'exit')])
  return { code, stdout, stderr }
}

/** @param further Further environment variables, which override the defaults. */
export const createWorkplace = (further: Readonly<Record<string, string>> = {}): Workplace => {
  const directory = createDatabaseDirectory('cs-cli-')
  const env = {
    COUNTERSIGN_DATABASE_URL: `sqlite:${join(directory, 'countersign.db')}`,
    COUNTERSIGN_JWT_KEYS: generateKeyRing(systemRandom),
    COUNTERSIGN_ENCRYPTION_KEYS: generateKeyRing(systemRandom),
    // Most tests expect nothing but errors on standard error.
    COUNTERSIGN_LOG_FILE: join(directory, 'changes.log'),
    ...further,
  }
  const run: Workplace['run'] = (args, { stdin, env: further } = {}) =>
    runInTestProcess(args, { stdin, env: { ...env, ...further } })
  return {
    directory,
    env,
    run,
    runProcess: (args, options) => runNode({ directory, env }, process.execPath, [BUILT_COMMAND, ...args], options),
    json: async (args, input) => {
      const { code, stdout, stderr } = await run([...args, '--json'], input)
      const isClean = code === 0 && stderr === '' && /^[^\n]+\n$/.test(stdout)
      if (!isClean) throw new Error(`countersign ${args.join(' ')} exited with ${code}: ${stdout}${stderr}`)
      return JSON.parse(stdout)
    },
    remove: () => rmSync(directory, { recursive: true, force: true }),
  }
}
