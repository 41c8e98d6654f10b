import { setTimeout } from 'node:timers/promises'
import { aCustomer, aNewUser } from '@countersign/core/testing'
import { openPostgres } from '@countersign/storage-postgres'
import { type Bench, query, scaled } from '../harness/bench.ts'
import { sqliteFile, startCountersign } from '../harness/countersign.ts'
import { readUsage } from '../harness/round.ts'
import { type Figure, figures } from '../measure.ts'
import type { program as rawPostgres } from '../programs/raw-postgres.ts'
import type { program as writes } from '../programs/writes.ts'
import { fillWithSessions } from './verify.ts'

const VERIFICATIONS = 1_000_000
/** Milliseconds after which the garbage of a start or a flood is collected, if it ever is. */
const REST = 3000

/** Measures how soon a server responds, and its memory. */
export const start = figures({
  name: 'start',
  title: '`countersign serve`: start and memory',
  about:
    'The built command on a warm SQLite database of 1000 sessions: the time from the start of the process to the first 200 of `/health`; the resident memory at rest; and the additional memory after a million responses of `/internal/verify`.',
  measure: async (bench) => {
    const { database, filled } = await fillWithSessions(bench, `sqlite:${sqliteFile(bench, 'start')}`)
    const open = async () => {
      const server = await startCountersign(bench, database)
      const megabytes = async (): Promise<number> => {
        await setTimeout(REST * bench.share)
        return readUsage(server.pid)?.megabytes ?? Number.NaN
      }
      return { ...server, megabytes }
    }
    const startedAfter: number[] = []
    const idle: number[] = []
    for (let round = 0; round < bench.turns.rounds; round += 1) {
      bench.tell(`start ${round + 1} of ${bench.turns.rounds}`)
      const server = await open()
      startedAfter.push(server.startedAfter)
      idle.push(await server.megabytes())
      await server.close()
    }
    const server = await open()
    const before = await server.megabytes()
    const driven = await bench.drive('Countersign', server, 'requests', filled)
    bench.tell('verifying')
    for (let done = 0; done < scaled(bench, VERIFICATIONS); ) {
      done += (await driven.round(Math.max(1, 5 * bench.share))).operations
    }
    return [
      { what: 'time from the start to the first 200 response', unit: 'ms', values: startedAfter, most: 400 },
      { what: 'resident memory at rest', unit: 'MB', values: idle, most: 110 },
      {
        what: 'additional memory after a million verifications',
        unit: 'MB',
        values: [(await server.megabytes()) - before],
        most: 40,
      },
    ]
  },
})

const CONNECTIONS = 32
const MOST_LOCKS = 5
/** The most of our rate that a transaction with locks on shared rows may reach: ours is to be at least four times as high. */
const MOST_RATE = 0.25
const NAMES = { project: 'projects created', session: 'sessions opened and ended', refresh: 'refresh tokens rotated' } as const

/** Creates a migrated database whose commits take five milliseconds. */
const openDatabase = async (bench: Bench) => {
  const url = await bench.createPostgresDatabase()
  for (const setting of ['commit_delay = 5000', 'commit_siblings = 0']) {
    await query(url, `alter database ${new URL(url).pathname.slice(1)} set ${setting}`)
  }
  const storage = await openPostgres({ url })
  await storage.migrate()
  const user = await storage.users.create(aNewUser())
  const customer = aCustomer()
  await storage.projects.customers.add(customer)
  await storage.close()
  return { url, customerId: customer.id, userId: user?.id ?? 0 }
}

type Database = Awaited<ReturnType<typeof openDatabase>>

/** Samples the waits of the active connections while the work runs. Returns them, by the number of samples. */
const sampleWaits = async (url: string, work: Promise<unknown>): Promise<ReadonlyMap<string, number>> => {
  const counts = new Map<string, number>()
  let isOver = false
  const over = work.finally(() => {
    isOver = true
  })
  while (!isOver) {
    const rows = await query<{ readonly wait: string }>(
      url,
      `select coalesce(wait_event_type || ':' || wait_event, 'none') as wait from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and state = 'active'`,
    )
    for (const { wait } of rows) counts.set(wait, (counts.get(wait) ?? 0) + 1)
    await setTimeout(10)
  }
  await over
  return counts
}

/** Opens servers that share the connections. `round` notes their rate and their waits, except while they warm up. */
const openServers = async (bench: Bench, database: Database, what: keyof typeof NAMES | 'shared rows', servers: number) => {
  const options = { ...database, connections: CONNECTIONS / servers }
  const opened = await Promise.all(
    Array.from({ length: servers }, () =>
      what === 'shared rows'
        ? bench.contend<typeof rawPostgres>(what, 'raw-postgres', { ...options, what })
        : bench.contend<typeof writes>(what, 'writes', { ...options, what }),
    ),
  )
  const noted = { rates: [] as number[], locks: [] as number[], waits: new Map<string, number>() }
  const round = async (seconds: number, isWarm: boolean): Promise<void> => {
    const work = Promise.all(opened.map((one) => one.round(seconds)))
    const counts = await sampleWaits(database.url, work)
    if (!isWarm) return
    noted.rates.push((await work).reduce((sum, { operations, seconds: took }) => sum + operations / took, 0))
    const all = [...counts].reduce((sum, [, count]) => sum + count, 0)
    const locks = [...counts].reduce((sum, [wait, count]) => sum + (wait.startsWith('Lock:') ? count : 0), 0)
    noted.locks.push((100 * locks) / Math.max(1, all))
    for (const [wait, count] of counts) noted.waits.set(wait, (noted.waits.get(wait) ?? 0) + count)
  }
  return { ...noted, round }
}

const commonestOf = (waits: ReadonlyMap<string, number>): string =>
  [...waits].filter(([wait]) => wait !== 'none').sort(([, one], [, other]) => other - one)[0]?.[0] ?? 'none'

/** Measures how far servers wait for each other's locks. See ADR 0029. */
export const locks = figures({
  name: 'locks',
  title: 'Waits for locks, PostgreSQL',
  about:
    'The share of active connections that wait for a lock (`wait_event_type` is `Lock` in samples of `pg_stat_activity`), and the commonest wait. 32 connections of one server or of four, a commit of 5 ms (`commit_delay = 5000`, `commit_siblings = 0`), through the storage. The transaction for comparison takes the number, the version of the lists and the counters from rows that all creations share. It reads and checks nothing.',
  measure: async (bench) => {
    // The statistics of the second database count the updates of refreshes only.
    const [database, ofRefreshes] = [await openDatabase(bench), await openDatabase(bench)]
    const rates: Figure[] = []
    const waits: Figure[] = []
    for (const servers of [1, Math.max(2, scaled(bench, 4))]) {
      const at = servers === 1 ? 'one server' : `${servers} servers`
      const [ours, raw] = [
        await openServers(bench, database, 'project', servers),
        await openServers(bench, database, 'shared rows', servers),
      ]
      const session = await openServers(bench, database, 'session', servers)
      const all = { project: ours, session, refresh: await openServers(bench, ofRefreshes, 'refresh', servers) }
      const { rounds, seconds, warmUpSeconds } = bench.turns
      for (let round = warmUpSeconds > 0 ? 0 : 1; round <= rounds; round += 1) {
        bench.tell(`${at}, round ${round} of ${rounds}`)
        // They take turns, so that their rates compare.
        for (const one of [ours, raw, session, all.refresh]) await one.round(seconds, round > 0)
      }
      rates.push({
        what: `projects created, ${at}: rate of the transaction that locks shared rows ÷ our rate`,
        unit: '×',
        values: raw.rates.map((rate, round) => rate / (ours.rates[round] ?? Number.NaN)),
        most: MOST_RATE,
      })
      for (const [name, one] of Object.entries(all)) {
        const what = `${NAMES[name as keyof typeof NAMES]}, ${at}: waits for a lock (commonest wait: ${commonestOf(one.waits)})`
        waits.push({ what, unit: '%', values: one.locks, most: MOST_LOCKS })
      }
    }
    const [updates] = await query<{ readonly share: number }>(
      ofRefreshes.url,
      `select 100.0 * (n_tup_upd - n_tup_hot_upd) / greatest(n_tup_upd, 1) as share
       from pg_stat_user_tables where schemaname = 'countersign' and relname = 'sessions'`,
    )
    const rewritten = {
      what: 'refreshes that rewrite index entries',
      unit: '%',
      values: [Number(updates?.share)],
      most: MOST_LOCKS,
    } as const
    return [...rates, ...waits, rewritten]
  },
})
