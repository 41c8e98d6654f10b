import { setTimeout } from 'node:timers/promises'
import { aCustomer, aNewUser } from '@countersign/core/testing'
import { type Bench, query, scaled } from '../harness/bench.ts'
import { openCore, startCountersign } from '../harness/countersign.ts'
import { inRounds, readUsage } from '../harness/round.ts'
import { type Figure, figures } from '../measure.ts'
import type { program as rawProgram } from '../programs/raw.ts'
import type { program as writes } from '../programs/writes.ts'
import { fillWithSessions } from './introspect.ts'

const VERIFICATIONS = 1_000_000
/** Milliseconds after which the garbage of a start or a flood is collected, if it ever is. */
const REST = 3000

export const start = figures({
  name: 'start',
  title: '`countersign serve`: start and memory',
  about:
    'The built command on a warm SQLite database of 1000 sessions: the time from the start of the process to the first 200 of `/health`; the resident memory at rest; and the additional memory after a million responses of `/internal/verify`.',
  measure: async (bench) => {
    const { database, filled } = await fillWithSessions(bench, 'SQLite')
    const open = async () => {
      const server = await startCountersign(bench, database)
      const megabytes = async (): Promise<number> => {
        await setTimeout(REST * bench.share)
        return readUsage(server.pid)?.megabytes ?? Number.NaN
      }
      return { ...server, megabytes, before: await megabytes() }
    }
    const [startedAfter, idle]: [number[], number[]] = [[], []]
    await inRounds({ ...bench, warmUp: false }, async () => {
      const server = await open()
      startedAfter.push(server.startedAfter)
      idle.push(server.before)
      await server.close()
    })
    const server = await open()
    const driven = await bench.drive('Countersign', server, 'requests', filled)
    bench.tell('verifying')
    for (let done = 0; done < scaled(bench, VERIFICATIONS); ) {
      done += (await driven.round(Math.max(1, 5 * bench.share))).operations
    }
    const added = (await server.megabytes()) - server.before
    return [
      { what: 'time from the start to the first 200 response', unit: 'ms', values: startedAfter, most: 400 },
      { what: 'resident memory at rest', unit: 'MB', values: idle, most: 110 },
      { what: 'additional memory after a million verifications', unit: 'MB', values: [added], most: 40 },
    ]
  },
})

const CONNECTIONS = 32
/** Enough for two servers to wait for each other. */
const LEAST_CONNECTIONS = 8
/** The greatest percentage of samples that wait for a lock, and of refreshes that rewrite index entries. */
const MOST_LOCKS = 5
/** The most of our rate that a transaction with locks on shared rows may reach: ours is to be at least four times as high. */
const MOST_RATE = 0.25
const NAMES = { project: 'projects created', session: 'sessions opened and ended', refresh: 'refresh tokens rotated' } as const

/** Creates a database whose commits take five milliseconds. */
const openDatabase = async (bench: Bench) => {
  const { storage, database } = await openCore(bench, 'PostgreSQL')
  const { url } = database
  for (const setting of ['commit_delay = 5000', 'commit_siblings = 0']) {
    await query(url, `alter database ${new URL(url).pathname.slice(1)} set ${setting}`)
  }
  const [user] = await storage.users.create([aNewUser()])
  const customer = aCustomer()
  await storage.projects.customers.add(customer)
  await storage.close()
  return { url, customerId: customer.id, userId: user?.id ?? 0 }
}

type Database = Awaited<ReturnType<typeof openDatabase>>

/** Samples what the active connections wait for while the work runs. */
const sampleWaits = async (url: string, work: Promise<unknown>): Promise<readonly string[]> => {
  const waits: string[] = []
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
    waits.push(...rows.map(({ wait }) => wait))
    await setTimeout(10)
  }
  await over
  return waits
}

/** Opens servers that share the connections. `round` notes their rate and what they wait for, except while they warm up. */
const openServers = async (bench: Bench, database: Database, what: keyof typeof NAMES | 'shared rows', servers: number) => {
  const options = { ...database, connections: Math.max(LEAST_CONNECTIONS, scaled(bench, CONNECTIONS)) / servers }
  const opened = await Promise.all(
    Array.from({ length: servers }, () =>
      what === 'shared rows'
        ? bench.run<typeof rawProgram>('raw', { ...options, what })
        : bench.run<typeof writes>('writes', { ...options, what }),
    ),
  )
  const noted = { what, rates: [] as number[], locks: [] as number[], waits: [] as string[] }
  const round = async (isWarm: boolean): Promise<void> => {
    const work = Promise.all(opened.map((one) => one.round(bench.seconds)))
    const waits = await sampleWaits(database.url, work)
    if (!isWarm) return
    noted.rates.push((await work).reduce((sum, { operations, seconds }) => sum + operations / seconds, 0))
    noted.locks.push((100 * waits.filter((wait) => wait.startsWith('Lock:')).length) / Math.max(1, waits.length))
    noted.waits.push(...waits.filter((wait) => wait !== 'none'))
  }
  return { ...noted, round }
}

const commonestOf = (waits: readonly string[]): string =>
  [...Map.groupBy(waits, (wait) => wait)].sort(([, one], [, other]) => other.length - one.length)[0]?.[0] ?? 'none'

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
      const [ours, raw, session, refresh] = await Promise.all([
        openServers(bench, database, 'project', servers),
        openServers(bench, database, 'shared rows', servers),
        openServers(bench, database, 'session', servers),
        openServers(bench, ofRefreshes, 'refresh', servers),
      ])
      await inRounds({ ...bench, tell: (what) => bench.tell(`${at}, ${what}`) }, async (round) => {
        // They take turns, so that their rates compare.
        for (const one of [ours, raw, session, refresh]) await one.round(round > 0)
      })
      rates.push({
        what: `projects created, ${at}: rate of the transaction that locks shared rows ÷ our rate`,
        unit: '×',
        values: raw.rates.map((rate, round) => rate / (ours.rates[round] ?? Number.NaN)),
        most: MOST_RATE,
      })
      for (const one of [ours, session, refresh]) {
        const name = NAMES[one.what as keyof typeof NAMES]
        const what = `${name}, ${at}: waits for a lock (commonest wait: ${commonestOf(one.waits)})`
        waits.push({ what, unit: '%', values: one.locks, most: MOST_LOCKS })
      }
    }
    const [updates] = await query<{ readonly share: number }>(
      ofRefreshes.url,
      `select 100.0 * (n_tup_upd - n_tup_hot_upd) / greatest(n_tup_upd, 1) as share
       from pg_stat_user_tables where schemaname = 'countersign' and relname = 'sessions'`,
    )
    const values = [Number(updates?.share)]
    return [...rates, ...waits, { what: 'refreshes that rewrite index entries', unit: '%', values, most: MOST_LOCKS }]
  },
})
