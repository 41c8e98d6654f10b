import type { Bench } from '../harness/bench.ts'
import type { Contender } from '../harness/contender.ts'
import { conversed } from '../harness/contenders.ts'
import { fillDatabase, sqliteUrl } from '../harness/database.ts'
import { holdDevices } from '../seeds/held-device.ts'
import { noRateLimits, startCountersign } from '../servers/countersign.ts'
import type { Comparison } from './benchmark.ts'

/** As many as a run needs whose refreshes stay below the limit of each session: a burst of 20, then 10 a minute. */
const USERS = 2560
const FEWEST_USERS = 64
const OPERATIONS = ['refresh', 'device login', 'confirmation'] as const

type Operation = (typeof OPERATIONS)[number]

const nameOf = (operation: Operation, limits: 'on' | 'off'): string => `${operation}, rate limits ${limits}`

const targets = OPERATIONS.map((operation) => ({
  of: nameOf(operation, 'on'),
  to: nameOf(operation, 'off'),
  bound: 0.8,
  means: 'of the rate without rate limits',
}))

/** Returns the three operations on a server of their own. */
const openServer = async (bench: Bench, url: string, limits: 'on' | 'off'): Promise<readonly Contender[]> => {
  const users = Math.max(FEWEST_USERS, Math.ceil(USERS * bench.share))
  const { database, filled: devices } = await fillDatabase(url, ({ countersign }) => holdDevices(countersign, users))
  const environment = { COUNTERSIGN_TRUST_PROXY: '1', ...(limits === 'off' && noRateLimits) }
  const server = await startCountersign(bench, database, environment)
  const driven = (operation: Operation) => ({ name: nameOf(operation, limits), ...server })
  const fromEverywhere = devices.map((device, addresses) => ({ ...device, addresses }))
  const refreshing = fromEverywhere.map(({ refreshToken, addresses }) => ({
    path: '/api/v1/auth/mobile/refresh' as const,
    refreshToken,
    addresses,
  }))
  return [
    await conversed(bench, driven('refresh'), 'refresh', refreshing),
    await conversed(bench, driven('device login'), 'device-login', fromEverywhere),
    await conversed(bench, driven('confirmation'), 'confirmation', devices),
  ]
}

/** Lets the same operation with and without limits take turns directly one after the other. */
const openBoth = async (bench: Bench, newUrl: () => Promise<string>): Promise<readonly Contender[]> => {
  const off = await openServer(bench, await newUrl(), 'off')
  const on = await openServer(bench, await newUrl(), 'on')
  return off.flatMap((contender, at) => [contender, on[at] ?? contender])
}

export const rateLimits: Comparison = {
  kind: 'comparison',
  name: 'rate-limits',
  title: 'Default rate limits, SQLite',
  about:
    'The cost of the default rate limits. The operations are those of the benchmarks of their names, on two servers that differ only in `COUNTERSIGN_RATE_LIMITS`. 2,560 users take turns on 64 connections. Each device login comes from an address that was never seen before; the limits of refreshes and confirmations count by session.',
  targets,
  open: (bench) => {
    let databases = 0
    return openBoth(bench, async () => {
      databases += 1
      return sqliteUrl(bench.directory, `rate-limits-${databases}`)
    })
  },
}

export const rateLimitsPostgres: Comparison = {
  kind: 'comparison',
  name: 'rate-limits-postgres',
  title: 'Default rate limits, PostgreSQL',
  about: 'The same on PostgreSQL.',
  targets,
  open: (bench) => openBoth(bench, () => bench.createPostgresDatabase()),
}
