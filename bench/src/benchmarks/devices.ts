import { copyFileSync } from 'node:fs'
import { type Bench, scaled } from '../harness/bench.ts'
import { fillDatabase, noRateLimits, sqliteFile, startCountersign } from '../harness/countersign.ts'
import type { Contender } from '../harness/round.ts'
import { type Benchmark, comparison } from '../measure.ts'
import type { program as rawPostgres } from '../programs/raw-postgres.ts'
import type { program as rawSqlite } from '../programs/raw-sqlite.ts'
import { holdDevices, signInMany } from '../seeds.ts'

const CONVERSATIONS = 64
const SQLITE = 'Countersign, SQLite'
const RAW_ROTATION = 'raw better-sqlite3, one commit at a time'
const RAW_SQLITE = 'raw signature check and commits'
const POSTGRES = 'Countersign, PostgreSQL'
const RAW_POSTGRES = 'raw pg, the same statements'

const fillWithDevices = (url: string, count: number) => fillDatabase(url, ({ countersign }) => holdDevices(countersign, count))

/** Returns a copy of a SQLite database for the raw contender. */
const copyOf = (file: string): string => {
  copyFileSync(file, `${file}.raw`)
  return `${file}.raw`
}

export const refresh = comparison({
  name: 'refresh',
  title: 'Refresh with rotation, SQLite',
  about:
    'One operation: a refresh token is exchanged for the next pair, durably (`synchronous=FULL`). 64 connections, each with its own session, rate limits off. The raw loop commits one rotation after another.',
  targets: [{ of: SQLITE, to: RAW_ROTATION, bound: 1.2 }],
  open: async (bench) => {
    const file = sqliteFile(bench, 'refresh')
    const { database, filled } = await fillDatabase(`sqlite:${file}`, ({ countersign }) =>
      signInMany(countersign, { users: scaled(bench, CONVERSATIONS), sessions: scaled(bench, CONVERSATIONS) }),
    )
    const raw = await bench.contend<typeof rawSqlite>(RAW_ROTATION, 'raw-sqlite', { path: copyOf(file), what: 'refresh' })
    return [await bench.drive(SQLITE, await startCountersign(bench, database, noRateLimits), 'refresh', filled), raw]
  },
})

const onSqlite = async (bench: Bench, what: 'login' | 'confirmation') => {
  const file = sqliteFile(bench, what)
  const { database, filled } = await fillWithDevices(`sqlite:${file}`, scaled(bench, CONVERSATIONS))
  const [device] = filled
  if (device === undefined) throw new Error('there is no device')
  const raw = await bench.contend<typeof rawSqlite>(RAW_SQLITE, 'raw-sqlite', { path: copyOf(file), what, device })
  const server = await startCountersign(bench, database, noRateLimits)
  return [await bench.drive(SQLITE, server, what === 'login' ? 'deviceLogin' : what, filled), raw]
}

/** Opens a server and the bare driver, each on a database of its own with the same data. */
const onPostgres = async (bench: Bench, what: 'refresh' | 'confirmation') => {
  const count = scaled(bench, CONVERSATIONS)
  const { database, filled } = await fillWithDevices(await bench.createPostgresDatabase(), count)
  const raw = await fillWithDevices(await bench.createPostgresDatabase(), count)
  const server = await startCountersign(bench, database, noRateLimits)
  const bare = { url: raw.database.url, what, devices: raw.filled }
  return [
    await bench.drive(POSTGRES, server, what, filled),
    await bench.contend<typeof rawPostgres>(RAW_POSTGRES, 'raw-postgres', bare),
  ]
}

export const refreshPostgres = comparison({
  name: 'refresh-postgres',
  title: 'Refresh with rotation, PostgreSQL',
  about:
    'The same on PostgreSQL, durable too, rate limits off. The raw driver sends only the rotation, the one statement of a refresh whose session is cached, on a pool of ten as well.',
  targets: [{ of: POSTGRES, to: RAW_POSTGRES, bound: 0.6 }],
  open: (bench) => onPostgres(bench, 'refresh'),
})

const targets = [{ of: SQLITE, to: RAW_SQLITE, bound: 0.5 }]

export const deviceLogin = comparison({
  name: 'device-login',
  title: 'Login by a device’s signature, SQLite',
  about:
    'One operation: a device gets a challenge and logs in by signing it (ES256); two requests, three durable steps. 64 connections, each with its own device, rate limits off. The raw loop checks a signature and commits the three steps one after another.',
  targets,
  open: (bench) => onSqlite(bench, 'login'),
})

export const confirmation = comparison({
  name: 'confirmation',
  title: 'Confirmation by signature, SQLite',
  about:
    'One operation: a confirmation is initiated and approved by the signature of a device (ES256); two requests, two durable steps. Otherwise as before.',
  targets,
  open: (bench) => onSqlite(bench, 'confirmation'),
})

export const confirmationPostgres = comparison({
  name: 'confirmation-postgres',
  title: 'Confirmation by signature, PostgreSQL',
  about: 'The same on PostgreSQL. The raw driver sends the same statements and checks the signature, on a pool of ten as well.',
  targets: [{ of: POSTGRES, to: RAW_POSTGRES, bound: 0.6 }],
  open: (bench) => onPostgres(bench, 'confirmation'),
})

/** As many as a run needs whose refreshes stay below the limit of each session: a burst of 20, then 10 a minute. */
const USERS = 2560
const operations = [
  ['refresh', 'refresh'],
  ['device login', 'deviceLogin'],
  ['confirmation', 'confirmation'],
] as const

const rateLimitsOn = (
  name: string,
  title: string,
  about: string,
  urlOf: (bench: Bench, limits: string) => string | Promise<string>,
): Benchmark =>
  comparison({
    name,
    title,
    about,
    targets: operations.map(([what]) => {
      return { of: `${what}, rate limits on`, to: `${what}, rate limits off`, bound: 0.8 }
    }),
    open: async (bench) => {
      const openServer = async (limits: 'on' | 'off'): Promise<readonly Contender[]> => {
        const { database, filled } = await fillWithDevices(await urlOf(bench, limits), scaled(bench, USERS))
        const server = await startCountersign(bench, database, {
          COUNTERSIGN_TRUST_PROXY: '1',
          ...(limits === 'off' && noRateLimits),
        })
        const fromEverywhere = filled.map((device, addresses) => ({ ...device, addresses }))
        return Promise.all(
          operations.map(([what, flow]) => bench.drive(`${what}, rate limits ${limits}`, server, flow, fromEverywhere)),
        )
      }
      const [off, on] = [await openServer('off'), await openServer('on')]
      // The same operation with and without limits runs directly one after the other.
      return off.flatMap((contender, at) => [contender, on[at] ?? contender])
    },
  })

export const rateLimits = rateLimitsOn(
  'rate-limits',
  'Default rate limits, SQLite',
  'The cost of the default rate limits. The operations are those of the benchmarks of their names, on two servers that differ only in `COUNTERSIGN_RATE_LIMITS`. 2,560 users take turns on 64 connections. Each device login comes from an address that was never seen before; the limits of refreshes and confirmations count by session.',
  (bench, limits) => `sqlite:${sqliteFile(bench, `rate-limits-${limits}`)}`,
)

export const rateLimitsPostgres = rateLimitsOn(
  'rate-limits-postgres',
  'Default rate limits, PostgreSQL',
  'The same on PostgreSQL.',
  (bench) => bench.createPostgresDatabase(),
)
