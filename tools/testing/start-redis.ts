import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'
import { untilPrinted } from './start-postgres.ts'
import { startWatch } from './start-watch.ts'

export interface RedisServer {
  readonly url: string
  readonly port: number
  readonly pid: number
  /** Stops the server with SIGSTOP: connections stay open, and no response arrives. */
  freeze(): void
  /** Lets a frozen server continue. */
  thaw(): void
  /** Ends the server, frozen or not, and removes its files. Resolves when it has ended. */
  remove(): Promise<void>
}

export interface RedisServerOptions {
  /**
   * The port on the loopback address; a free port by default. A test gives the port to restart a server at its old address.
   */
  readonly port?: number
  /** Further settings, as on the command line: `['--requirepass', 'secret']`. */
  readonly settings?: readonly string[]
}

/** Waits until the process that started it has ended in any way, then ends the server. */
const WATCH = 'read -r _; kill -KILL "$1"; rm -rf "$2"'

/**
 * Starts the `redis-server` of this machine on the loopback address, without files. The caller removes it. If this process
 * ends first, the server ends too.
 */
export const startRedis = async ({ port, settings = [] }: RedisServerOptions = {}): Promise<RedisServer> => {
  const directory = mkdtempSync(join(tmpdir(), 'countersign-redis-'))
  const chosen = port ?? (await freePort())
  const ofTests = ['--port', String(chosen), '--bind', '127.0.0.1', '--dir', directory, '--save', '', '--appendonly', 'no']
  const child = spawn('redis-server', [...ofTests, ...settings], { stdio: ['ignore', 'pipe', 'ignore'] })
  const gone = new Promise((resolve) => child.once('close', resolve))
  let watch: ChildProcess | undefined
  const remove = async (): Promise<void> => {
    child.kill('SIGKILL')
    await gone
    watch?.kill()
    rmSync(directory, { recursive: true, force: true })
  }
  try {
    await untilPrinted(child, 'stdout', /Ready to accept connections/)
  } catch (error) {
    rmSync(directory, { recursive: true, force: true })
    throw error
  }
  const { pid = 0 } = child
  watch = startWatch(WATCH, String(pid), directory)
  return {
    url: `redis://127.0.0.1:${chosen}`,
    port: chosen,
    pid,
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    remove,
  }
}
