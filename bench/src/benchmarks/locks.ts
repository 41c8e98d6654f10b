import { aCustomer, aNewUser } from '@countersign/core/testing'
import { openPostgres } from '@countersign/storage-postgres'
import pg from 'pg'
import type { Bench } from '../harness/bench.ts'
import { sampleWaits } from '../harness/wait-samples.ts'
import type { methods as rawMethods } from '../raw/create-postgres.ts'
import type { methods, WritesOptions } from '../workers/writes.ts'
import type { Figure, Figures } from './benchmark.ts'

const CONNECTIONS = 32
const SERVERS = [1, 4] as const
const MOST_LOCKS = 5
/** The most of our rate that a transaction with locks on shared rows may reach: ours is to be at least four times as high. */
const MOST_RATE = 0.25

const NAMES = { project: 'projects created', session: 'sessions opened and ended', refresh: 'refresh tokens rotated' } as const

type What = WritesOptions['what']

/** Creates a migrated database whose commits take five milliseconds. */
const openDatabase = async (bench: Bench) => {
  const url = await bench.createPostgresDatabase()
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`do $$ begin
    execute format('alter database %I set commit_delay = 5000', current_database());
    execute format('alter database %I set commit_siblings = 0', current_database());
  end $$`)
  await client.end()
  const storage = await openPostgres({ url })
  try {
    await storage.migrate()
    const user = await storage.users.create(aNewUser())
    const customer = aCustomer()
    await storage.projects.customers.add(customer)
    return { url, customerId: customer.id, userId: user?.id ?? 0 }
  } finally {
    await storage.close()
  }
}

type OpenedDatabase = Awaited<ReturnType<typeof openDatabase>>

interface Databases {
  readonly database: OpenedDatabase
  /** A database of its own, whose statistics count the updates of refreshes only. */
  readonly ofRefreshes: OpenedDatabase
}

/** The rates and the waits of each round. */
interface Measured {
  readonly rates: number[]
  readonly locks: number[]
  readonly waits: string[]
}

/** Returns servers that share the connections, as a function that runs one round on all of them. */
const openServers = async (bench: Bench, database: OpenedDatabase, what: What | 'raw', servers: number) => {
  const options = { ...database, what: what === 'raw' ? ('project' as const) : what, connections: CONNECTIONS / servers }
  const workers = Array.from({ length: servers }, () =>
    what === 'raw'
      ? bench.startWorker<typeof rawMethods>('raw/create-postgres.ts')
      : bench.startWorker<typeof methods>('workers/writes.ts'),
  )
  await Promise.all(workers.map((worker) => worker.call('open', options)))
  const round = async (seconds: number) => {
    const rounds = await Promise.all(workers.map((worker) => worker.call('round', seconds)))
    return rounds.reduce((sum, done) => sum + done.operations / done.seconds, 0)
  }
  const measured: Measured = { rates: [], locks: [], waits: [] }
  return {
    measured,
    warmUp: round,
    measure: async (seconds: number): Promise<void> => {
      const { result, locks, commonest } = await sampleWaits(database.url, () => round(seconds))
      measured.rates.push(result)
      measured.locks.push(locks)
      measured.waits.push(commonest)
    },
  }
}

/** Measures all writes with this many servers. They take turns, so that their rates compare. */
const measureWith = async (bench: Bench, { database, ofRefreshes }: Databases, servers: number) => {
  const open = (what: What | 'raw') => openServers(bench, what === 'refresh' ? ofRefreshes : database, what, servers)
  const all = {
    project: await open('project'),
    raw: await open('raw'),
    session: await open('session'),
    refresh: await open('refresh'),
  }
  const { rounds, seconds, warmUpSeconds } = bench.turns
  for (const one of warmUpSeconds > 0 ? Object.values(all) : []) await one.warmUp(warmUpSeconds)
  for (let round = 0; round < rounds; round += 1) {
    bench.tell(`${servers} servers, round ${round + 1} of ${rounds}`)
    for (const one of Object.values(all)) await one.measure(seconds)
  }
  return all
}

const commonestOf = (waits: readonly string[]): string => {
  const counts = Map.groupBy(waits, (wait) => wait)
  return [...counts].sort(([, one], [, other]) => other.length - one.length)[0]?.[0] ?? 'none'
}

const serversText = (servers: number): string => (servers === 1 ? 'one server' : `${servers} servers`)

const figuresOf = (servers: number, all: Awaited<ReturnType<typeof measureWith>>): readonly Figure[] => {
  const at = serversText(servers)
  const { project, raw } = all
  const lockFigure = (what: string, { locks, waits }: Measured, most?: number): Figure => ({
    what: `${what}, ${at}: waits for a lock (commonest wait: ${commonestOf(waits)})`,
    unit: '%',
    values: locks,
    ...(most !== undefined && { most }),
  })
  return [
    {
      what: `projects created, ${at}: rate of the transaction that locks shared rows ÷ our rate`,
      unit: '×',
      values: raw.measured.rates.map((rate, round) => rate / (project.measured.rates[round] ?? Number.NaN)),
      most: MOST_RATE,
    },
    ...(['project', 'session', 'refresh'] as const).map((what) => lockFigure(NAMES[what], all[what].measured, MOST_LOCKS)),
    lockFigure('projects created in a transaction that locks shared rows', raw.measured),
  ]
}

/** Returns the share of updated sessions for which PostgreSQL rewrote every index entry. */
const fullUpdates = async ({ url }: OpenedDatabase): Promise<number> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ readonly share: number }>(`
      select 100.0 * (n_tup_upd - n_tup_hot_upd) / greatest(n_tup_upd, 1) as share
      from pg_stat_user_tables where schemaname = 'countersign' and relname = 'sessions'`)
    return Number(rows[0]?.share)
  } finally {
    await client.end()
  }
}

/** Measures how far servers wait for each other's locks. See ADR 0037. */
export const locks: Figures = {
  kind: 'figures',
  name: 'locks',
  title: 'Waits for locks, PostgreSQL',
  about:
    'The share of active connections that wait for a lock (`wait_event_type` is `Lock` in samples of `pg_stat_activity`), and the commonest wait. 32 connections of one server or of four, a commit of 5 ms (`commit_delay = 5000`, `commit_siblings = 0`), through the storage. The transaction for comparison takes the number, the version of the lists and the counters from rows that all creations share. It reads and checks nothing.',
  measure: async (bench) => {
    const databases = { database: await openDatabase(bench), ofRefreshes: await openDatabase(bench) }
    const figures: Figure[] = []
    for (const servers of SERVERS) figures.push(...figuresOf(servers, await measureWith(bench, databases, servers)))
    const updates = { what: 'refreshes that rewrite index entries', unit: '%' as const, most: MOST_LOCKS }
    const first = figures.filter(({ unit }) => unit === '×')
    return [
      ...first,
      ...figures.filter(({ unit }) => unit !== '×'),
      { ...updates, values: [await fullUpdates(databases.ofRefreshes)] },
    ]
  },
}
