import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { startPostgres } from '../../../tools/testing/start-postgres.ts'
import { repository } from '../../../tools/workspace.ts'
import type { ClientOptions } from '../programs/client.ts'
import { type Program, type Running, startProgram } from './program.ts'
import type { Contender, Turns } from './round.ts'

export interface BenchOptions {
  readonly turns: Turns
  /** The size of everything, from 0 to 1, relative to a real run: a test that only runs a benchmark uses a small share. */
  readonly share: number
  /** The numbers of projects for lists, and the folder that keeps those databases for later runs. */
  readonly projects: { readonly sizes: readonly number[]; readonly keepIn?: string }
  /** The server on which databases are created. Missing: a server of the bench, with the durability of production. */
  readonly postgresUrl?: string
  /** Receives a short description of the current step, because a whole run takes long. */
  readonly tell: (what: string) => void
}

/** The address of a server, and its process. */
export interface Address {
  readonly url: string
  readonly pid: number
}

/** The environment of a benchmark. Closing the bench closes everything that it opened, the last first. */
export interface Bench extends BenchOptions {
  /** A folder on a disk, removed at the end. */
  readonly directory: string
  readonly own: <T extends { close(): Promise<unknown> }>(thing: T) => T
  /** Runs a script of `programs`, and opens it. */
  readonly run: <P extends Program<never, unknown>>(
    script: string,
    options: Parameters<P['open']>[0],
  ) => Promise<Running<unknown, unknown> & { readonly opened: Awaited<ReturnType<P['open']>> }>
  /** Returns a contender that does its work by itself, in a script of `programs`. */
  readonly contend: <P extends Program<never, unknown>>(
    name: string,
    script: string,
    options: Parameters<P['open']>[0],
  ) => Promise<Contender>
  /** Returns a server as a contender, driven by a client. Its connections share the conversations that begin so. */
  readonly drive: (
    name: string,
    server: Address,
    flow: ClientOptions['flow'],
    begin: readonly object[],
    options?: Partial<ClientOptions>,
  ) => Promise<Contender & { readonly client: number }>
  /** Returns the URL of a new PostgreSQL database. */
  readonly createPostgresDatabase: () => Promise<string>
  readonly close: () => Promise<void>
}

/** Below the installation, because the temporary folder of the system may be in memory, where nothing is durable. */
const PLACE = join(repository, 'node_modules', '.cache', 'countersign-bench')
const DURABLE = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' }
const CONNECTIONS = 64

/** Runs statements on a PostgreSQL database, without waiting for its disk. Resolves with the rows of the last one. */
export const query = async <R extends object>(url: string, ...statements: readonly string[]): Promise<readonly R[]> => {
  const client = new pg.Client({ connectionString: url, options: '-c search_path=countersign -c synchronous_commit=off' })
  await client.connect()
  try {
    let rows: readonly R[] = []
    for (const statement of statements) rows = (await client.query<R>(statement)).rows
    return rows
  } finally {
    await client.end()
  }
}

export const openBench = (options: BenchOptions): Bench => {
  mkdirSync(PLACE, { recursive: true })
  const directory = mkdtempSync(join(PLACE, 'run-'))
  const sweep = (): void => rmSync(directory, { recursive: true, force: true })
  process.once('exit', sweep)
  const owned: { close(): Promise<unknown> }[] = []
  let server: ReturnType<typeof startPostgres> | undefined
  let count = 0

  const own: Bench['own'] = (thing) => {
    owned.push(thing)
    return thing
  }
  const run: Bench['run'] = async (script, given) => {
    const running = own(startProgram<unknown, unknown>(new URL(`../programs/${script}.ts`, import.meta.url)))
    return { ...running, opened: (await running.open(given)) as never }
  }
  const ownServer = async (): Promise<string> => {
    server ??= startPostgres({ settings: DURABLE }).then((started) => {
      own({ close: started.remove })
      return started
    })
    return (await server).url
  }
  /** Creates a database with a name that no other bench uses on the server. */
  const createPostgresDatabase = async (): Promise<string> => {
    const url = options.postgresUrl ?? (await ownServer())
    const name = `bench_${randomUUID().replaceAll('-', '')}`
    await query(url, `create database ${name}`)
    own({ close: () => query(url, `drop database ${name} with (force)`) })
    return Object.assign(new URL(url), { pathname: `/${name}` }).href
  }
  return {
    ...options,
    directory,
    own,
    run,
    contend: async (name, script, given) => ({ ...(await run(script, given)), name }),
    drive: async (name, { url, pid }, flow, begin, given) => {
      count += 1
      const file = join(directory, `conversations-${count}.json`)
      writeFileSync(file, JSON.stringify(begin))
      const connections = flow === 'requests' ? CONNECTIONS : Math.min(CONNECTIONS, begin.length)
      const client = await run('client', { url, flow, file, connections, ...given } satisfies ClientOptions as never)
      return { name, pid, client: client.pid, round: client.round }
    },
    createPostgresDatabase,
    close: async () => {
      for (const thing of owned.reverse()) await thing.close()
      sweep()
      process.off('exit', sweep)
    },
  }
}

/** Returns the share of `count` that the bench uses; at least one. */
export const scaled = ({ share }: Pick<Bench, 'share'>, count: number): number => Math.max(1, Math.round(count * share))
