import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { openStorage } from '@countersign/server'
import Sqlite from 'better-sqlite3'
import { createDatabaseDirectory } from '../../../tools/testing/create-database-directory.ts'
import { startPostgres } from '../../../tools/testing/start-postgres.ts'
import { copyDatabase, databaseUrl, makeTemplate, runStatement } from '../../../tools/testing/template-database.ts'
import { repository } from '../../../tools/workspace.ts'
import type { ClientOptions, program as clientProgram } from '../programs/client.ts'
import { type Program, startProgram } from './program.ts'
import { type Contender, fileOf, type Turns } from './round.ts'

export interface BenchOptions extends Turns {
  /** The size of everything, from 0 to 1, relative to a real run: a test that only runs a benchmark uses a small share. */
  readonly share: number
  /** The server of the databases, and the migrated database to copy. Missing: a server with the durability of production. */
  readonly postgres?: { readonly url: string; readonly template: string }
}

export interface Address {
  readonly url: string
  readonly pid: number
}

export type Kind = 'SQLite' | 'PostgreSQL'

/** Below the installation, because the temporary folder of the system may be in memory, where nothing is durable. */
const PLACE = join(repository, 'node_modules', '.cache', 'countersign-bench')
const DURABLE = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' }
const CONNECTIONS = 64

const migrate = async (url: string): Promise<void> => {
  const storage = await openStorage(url)
  await storage.migrate()
  await storage.close()
}

/**
 * Runs a statement on a database, on a connection apart from the storage, without waiting for the disk. Resolves with the rows. On
 * PostgreSQL no trigger runs: copied rows stand for old ones, and millions of changes to report would be none of a real database.
 */
export const query = async <R extends object>(url: string, text: string): Promise<readonly R[]> => {
  const file = fileOf(url)
  if (file === undefined) {
    const options = encodeURIComponent('-c search_path=countersign -c synchronous_commit=off -c session_replication_role=replica')
    return (await runStatement(`${url}?options=${options}`, text)) as readonly R[]
  }
  const connection = new Sqlite(file)
  try {
    connection.pragma('synchronous = off')
    connection.pragma('cache_size = -500000')
    const statement = connection.prepare<[], R>(text)
    if (statement.reader) return statement.all()
    statement.run()
    return []
  } finally {
    connection.close()
  }
}

/** Copies a row of a table this many times. `changes` has the columns that differ, as expressions of `n`, which counts from 1. */
export const copyRow = async (url: string, name: string, count: number, changes: Readonly<Record<string, string>>) => {
  const isSqlite = fileOf(url) !== undefined
  const table = isSqlite ? `countersign_${name}` : name
  const original = `select * from ${table} limit 1`
  const columns = Object.keys((await query(url, original))[0] ?? {})
  if (columns.length === 0) throw new Error(`${table} has no row to copy`)
  const values = columns.map((column) => changes[column] ?? `original.${column}`)
  const numbers = `with recursive counted(n) as (select 1 union all select n + 1 from counted where n < ${count}) select n from counted`
  await query(
    url,
    `insert into ${table} (${columns.join()}) ${isSqlite ? '' : 'overriding system value'}
     select ${values.join()} from (${original}) as original, (${numbers}) as numbers`,
  )
}

/** Opens the environment of a benchmark. Closing the bench closes everything that it opened, the last first. */
export const openBench = (options: BenchOptions) => {
  mkdirSync(PLACE, { recursive: true })
  // The figures of a small share mean nothing, so it need not wait for the disk.
  const directory = options.share < 1 ? createDatabaseDirectory('countersign-bench-') : mkdtempSync(join(PLACE, 'run-'))
  const sweep = (): void => rmSync(directory, { recursive: true, force: true })
  process.once('exit', sweep)
  const owned: { close(): Promise<unknown> }[] = []
  let postgres = options.postgres && Promise.resolve(options.postgres)
  let files = 0

  const own = <T extends { close(): Promise<unknown> }>(thing: T): T => {
    owned.push(thing)
    return thing
  }
  const startServer = async () => {
    const server = await startPostgres({ settings: DURABLE })
    own({ close: server.remove })
    return { url: server.url, template: 'bench_template' }
  }
  /** Creates a migrated database. Resolves with its URL. */
  const createDatabase = async (kind: Kind): Promise<string> => {
    if (kind === 'SQLite') {
      files += 1
      const url = `sqlite:${join(directory, `${files}.db`)}`
      await migrate(url)
      return url
    }
    postgres ??= startServer()
    const { url, template } = await postgres
    await makeTemplate(url, template, migrate)
    const name = `bench_${randomUUID().replaceAll('-', '')}`
    await copyDatabase(url, template, name)
    own({ close: () => runStatement(url, `drop database ${name} with (force)`) })
    return databaseUrl(url, name)
  }
  const run = async <P extends Program<never, unknown>>(script: string, given: Parameters<P['open']>[0]) => {
    const program = own(startProgram<P>(script))
    return { ...program, opened: await program.open(given) }
  }
  /** Returns a contender that does its work by itself, in a script of `programs`. */
  const contend = async <P extends Program<never, unknown>>(name: string, script: string, given: Parameters<P['open']>[0]) => ({
    ...(await run<P>(script, given)),
    name,
  })
  /** Returns a server as a contender, driven by a client, whose connections share the conversations that begin with `begin`. */
  const drive = async (
    name: string,
    { url, pid }: Address,
    flow: ClientOptions['flow'],
    begin: ClientOptions['begin'],
    given?: Partial<ClientOptions>,
  ): Promise<Contender & { readonly client: number }> => {
    const connections = flow === 'requests' ? CONNECTIONS : Math.min(CONNECTIONS, begin.length)
    const client = await run<typeof clientProgram>('client', { url, flow, begin, connections, ...given })
    return { name, pid, client: client.pid, round: client.round }
  }
  const close = async (): Promise<void> => {
    for (const thing of owned.reverse()) await thing.close()
    sweep()
    process.off('exit', sweep)
  }
  return { ...options, directory, own, createDatabase, run, contend, drive, close }
}

export type Bench = ReturnType<typeof openBench>

/** Returns the share of `count` that the bench uses; at least one. */
export const scaled = ({ share }: Pick<Bench, 'share'>, count: number): number => Math.max(1, Math.round(count * share))
