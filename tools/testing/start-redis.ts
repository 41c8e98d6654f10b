import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'

export interface RedisServer {
  readonly url: string
  readonly port: number
  readonly pid: number
  /** Stops it where it stands (SIGSTOP): connections stay, and nothing answers any more. */
  freeze(): void
  /** Lets it go on from there. */
  thaw(): void
  /** Ends it at once and removes what it left; resolves once it is gone. Frozen or not. */
  remove(): Promise<void>
}

export interface RedisServerOptions {
  /** A free port of the loopback address where none is given: one that has ended is started again on its own. */
  readonly port?: number
  /** Further settings, as on the command line: `['--requirepass', 'secret']`. */
  readonly settings?: readonly string[]
}

/** Reads until the process that started it is gone, however that ended, then ends the server. */
const WATCH = 'read -r _; kill -KILL "$1"; rm -rf "$2"'

const ready = (child: ChildProcess): Promise<void> =>
  new Promise((resolve, reject) => {
    let log = ''
    child.stdout?.on('data', (chunk: Buffer) => {
      // What it says afterwards is drained unread, so that a full pipe never stops it.
      if (log.length > 100_000) return
      log += chunk
      if (log.includes('Ready to accept connections')) resolve()
    })
    child.once('error', reject)
    child.once('exit', () => reject(new Error(`redis-server did not start: ${log.trim()}`)))
  })

/**
 * Starts the `redis-server` of this machine on the loopback address, with nothing on disk. Whoever starts it removes it;
 * where the process ends first, the server goes with it.
 */
export const startRedis = async ({ port, settings = [] }: RedisServerOptions = {}): Promise<RedisServer> => {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-redis-'))
  const chosen = port ?? (await freePort())
  const args = [
    '--port',
    String(chosen),
    '--bind',
    '127.0.0.1',
    '--dir',
    directory,
    '--save',
    '',
    '--appendonly',
    'no',
    ...settings,
  ]
  const child = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'ignore'] })
  const gone = new Promise((resolve) => child.once('close', resolve))
  let watch: ChildProcess | undefined
  const remove = async (): Promise<void> => {
    child.kill('SIGKILL')
    await gone
    watch?.kill()
    rmSync(directory, { recursive: true, force: true })
  }
  try {
    await ready(child)
  } catch (error) {
    rmSync(directory, { recursive: true, force: true })
    throw error
  }
  const { pid = 0 } = child
  watch = spawn('sh', ['-c', WATCH, 'sh', String(pid), directory], { stdio: ['pipe', 'ignore', 'ignore'], detached: true })
  watch.unref()
  return {
    url: `redis://127.0.0.1:${chosen}`,
    port: chosen,
    pid,
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    remove,
  }
}
