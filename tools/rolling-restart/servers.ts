import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { freePort } from '../testing/free-port.ts'
import { repository } from '../workspace.ts'

const command = join(repository, 'packages', 'cli', 'dist', 'bin.js')

/** Several servers on one SQLite database in a folder. */
export interface Servers {
  readonly ports: readonly number[]
  /** A token of a service, which the requests carry. */
  readonly token: string
  /** Stops a server with SIGTERM, waits for its end, and starts it again. Rejects if it does not end with 0. */
  readonly restart: (index: number) => Promise<void>
  readonly kill: () => void
}

/** Starts a server and waits until it listens. */
const start = async (directory: string, env: NodeJS.ProcessEnv, port: number): Promise<ChildProcess> => {
  const args = [command, 'serve', '--port', String(port)]
  const child = spawn(process.execPath, args, { cwd: directory, env, stdio: ['ignore', 'pipe', 'inherit'] })
  const listening = new Promise<void>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.includes('"event":"listening"')) resolve()
    })
  })
  const ended = once(child, 'exit').then(() => Promise.reject(new Error('A server ended instead of starting')))
  await Promise.race([listening, ended])
  ended.catch(() => {})
  return child
}

/** Starts the servers, which drain for the given time when they stop. */
export const startServers = async (directory: string, count: number, drainSeconds: number): Promise<Servers> => {
  const env = {
    ...process.env,
    COUNTERSIGN_DATABASE_URL: `sqlite:${join(directory, 'countersign.db')}`,
    COUNTERSIGN_DRAIN_SECONDS: String(drainSeconds),
    COUNTERSIGN_RATE_LIMITS: 'off',
    COUNTERSIGN_TRUST_PROXY: '1',
  }
  const run = (...args: readonly string[]): string =>
    execFileSync(process.execPath, [command, ...args, '--json'], { cwd: directory, env, encoding: 'utf8' })
  run('migrate')
  const { token } = JSON.parse(run('service-token', 'issue', '--service', 'billing')) as { readonly token: string }
  const ports: number[] = []
  for (let index = 0; index < count; index += 1) ports.push(await freePort())
  const children = await Promise.all(ports.map((port) => start(directory, env, port)))
  return {
    ports,
    token,
    restart: async (index) => {
      const child = children[index]
      const port = ports[index]
      if (child === undefined || port === undefined) throw new RangeError(`There is no server ${index}`)
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      const [code] = (await ended) as [number | null]
      if (code !== 0) throw new Error(`A server ended with ${String(code)}`)
      children[index] = await start(directory, env, port)
    },
    kill: () => {
      for (const child of children) child.kill('SIGKILL')
    },
  }
}
