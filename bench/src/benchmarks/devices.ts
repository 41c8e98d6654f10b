import type { HeldDevice } from '../device.ts'
import { type Bench, type Kind, scaled } from '../harness/bench.ts'
import { fillDatabase, noRateLimits, startCountersign } from '../harness/countersign.ts'
import type { Contender } from '../harness/round.ts'
import { comparison } from '../measure.ts'
import type { program as oidcProvider } from '../programs/oidc-provider.ts'
import type { program as rawProgram } from '../programs/raw.ts'
import { holdDevices } from '../seeds.ts'

const CONVERSATIONS = 64
/** The number of devices that log in. A user keeps 200 sessions, so a login beyond them would also end one. */
const LOGINS = 256

const fillWithDevices = (bench: Bench, kind: Kind, count: number, least = 1) =>
  fillDatabase(bench, kind, (countersign) => holdDevices(countersign, Math.max(least, scaled(bench, count))))

const raw = {
  rotation: 'raw better-sqlite3, one commit at a time',
  SQLite: 'raw signature check and commits',
  PostgreSQL: 'raw pg',
} as const

const operations = [
  {
    name: 'refresh',
    title: 'Refresh with rotation, SQLite',
    about:
      'One operation: a refresh token is exchanged for the next pair, durably (`synchronous=FULL`). 64 connections, each with its own session, rate limits off. The raw loop commits one rotation after another. oidc-provider rotates at its token endpoint, with an adapter on better-sqlite3 as its documents describe it (`synchronous=FULL` too); its own in memory holds too little for it.',
    ...({ kind: 'SQLite', what: 'refresh', to: raw.rotation, bound: 1.2 } as const),
  },
  {
    name: 'refresh-postgres',
    title: 'Refresh with rotation, PostgreSQL',
    about:
      'The same on PostgreSQL, durable too, rate limits off. The raw driver sends only the rotation, the one statement of a refresh whose session is cached, on a pool of ten as well.',
    ...({ kind: 'PostgreSQL', what: 'refresh', to: raw.PostgreSQL, bound: 0.6 } as const),
  },
  {
    name: 'device-login',
    title: 'Login by a device’s signature, SQLite',
    about:
      'One operation: a device gets a challenge and logs in by signing it (ES256); two requests, three durable steps. 256 devices take turns on 64 connections, rate limits off. The raw loop checks a signature and commits the three steps one after another.',
    ...({ kind: 'SQLite', what: 'login', to: raw.SQLite, bound: 0.5 } as const),
  },
  {
    name: 'confirmation',
    title: 'Confirmation by signature, SQLite',
    about:
      'One operation: a confirmation is initiated and approved by the signature of a device (ES256); two requests, two durable steps. 64 connections, each with its own device, rate limits off. The raw loop as before.',
    ...({ kind: 'SQLite', what: 'confirmation', to: raw.SQLite, bound: 0.5 } as const),
  },
  {
    name: 'confirmation-postgres',
    title: 'Confirmation by signature, PostgreSQL',
    about:
      'The same on PostgreSQL. The raw driver sends the statements that the operation needs at least, and checks the signature, on a pool of ten as well. Countersign also reads the user, checks the session under a lock in both steps, and stores the evidence.',
    ...({ kind: 'PostgreSQL', what: 'confirmation', to: raw.PostgreSQL, bound: 0.65 } as const),
  },
] as const

/** Opens a provider of OAuth that rotates refresh tokens. Its own adapter in memory holds too few things for this. */
const openOidcProvider = async (bench: Bench, devices: readonly HeldDevice[]): Promise<Contender> => {
  const given = { path: `${bench.directory}/oidc-provider.db`, sessions: devices.length }
  const { pid, opened } = await bench.run<typeof oidcProvider>('oidc-provider', given)
  const begin = devices.map((device, at) => ({ ...device, ...opened.sessions[at] }))
  return bench.drive('oidc-provider, SQLite', { url: opened.url, pid }, 'oauthRefresh', begin)
}

/** Compares a server with the bare driver, each on a database of its own with the same data. */
export const operationsOfDevices = operations.map(({ kind, what, to, bound, ...named }) =>
  comparison({
    ...named,
    targets: [{ of: `Countersign, ${kind}`, to, bound }],
    open: async (bench) => {
      const devices = what === 'login' ? LOGINS : CONVERSATIONS
      const { database, filled } = await fillWithDevices(bench, kind, devices)
      const bare = await fillWithDevices(bench, kind, devices)
      const server = await startCountersign(bench, database, noRateLimits)
      return [
        await bench.drive(`Countersign, ${kind}`, server, what, filled),
        await bench.contend<typeof rawProgram>(to, 'raw', { url: bare.database.url, what, devices: bare.filled }),
        ...(what === 'refresh' && kind === 'SQLite' ? [await openOidcProvider(bench, filled)] : []),
      ]
    },
  }),
)

/** The number of users, so that the refreshes stay below the limit of each session: a burst of 20, then 10 a minute. */
const USERS = 5120
/** The number of users in a test, whose rounds end long before the bursts of so few users are used up. */
const LEAST_USERS = 20
const limited = [
  ['refresh', 'refresh'],
  ['device login', 'login'],
  ['confirmation', 'confirmation'],
] as const

const rateLimitsOn = (name: string, kind: Kind, about: string) =>
  comparison({
    name,
    title: `Default rate limits, ${kind}`,
    about,
    targets: limited.map(([what]) => ({ of: `${what}, rate limits on`, to: `${what}, rate limits off`, bound: 0.8 })),
    open: async (bench) => {
      const openServer = async (limits: 'on' | 'off'): Promise<readonly Contender[]> => {
        const { database, filled } = await fillWithDevices(bench, kind, USERS, LEAST_USERS)
        const server = await startCountersign(bench, database, {
          COUNTERSIGN_TRUST_PROXY: '1',
          ...(limits === 'off' && noRateLimits),
        })
        return Promise.all(limited.map(([what, flow]) => bench.drive(`${what}, rate limits ${limits}`, server, flow, filled)))
      }
      const [off, on] = [await openServer('off'), await openServer('on')]
      // The same operation with and without limits runs directly one after the other.
      return off.flatMap((contender, at) => [contender, on[at] ?? contender])
    },
  })

export const rateLimits = rateLimitsOn(
  'rate-limits',
  'SQLite',
  'The cost of the default rate limits. The operations are those of the benchmarks of their names, on two servers that differ only in `COUNTERSIGN_RATE_LIMITS`. 5,120 users take turns on 64 connections. Each device login comes from an address that was never seen before; the limits of refreshes and confirmations count by session.',
)

export const rateLimitsPostgres = rateLimitsOn('rate-limits-postgres', 'PostgreSQL', 'The same on PostgreSQL.')
