import { type Bench, scaled } from '../harness/bench.ts'
import type { Contender } from '../harness/contender.ts'
import { flooded } from '../harness/contenders.ts'
import { fillDatabase, sqliteUrl } from '../harness/database.ts'
import { signInMany } from '../seeds/sign-in.ts'
import { answerOf, mintAccessTokens, verification } from '../seeds/verification.ts'
import type { methods as bareMethods } from '../servers/bare-hono.ts'
import type { methods as betterAuthMethods } from '../servers/better-auth.ts'
import { startCountersign } from '../servers/countersign.ts'
import type { Comparison } from './benchmark.ts'

const SESSIONS = 1000
const USERS = 100
/** Several times as many tokens as a server caches. */
const NEW_TOKENS = 100_000

const BARE = 'bare Hono route'
const BETTER_AUTH = 'better-auth get-session, SQLite'
const SQLITE = 'Countersign, SQLite'
const POSTGRES = 'Countersign, PostgreSQL'

const people = (bench: Bench) => ({ users: scaled(bench, USERS), sessions: scaled(bench, SESSIONS) })

const openBetterAuth = async (bench: Bench): Promise<Contender> => {
  const server = bench.startWorker<typeof betterAuthMethods>('servers/better-auth.ts')
  const { url, cookies } = await server.call('open', {
    path: `${bench.directory}/better-auth.db`,
    sessions: scaled(bench, SESSIONS),
  })
  const requests = cookies.map((cookie) => ({ method: 'GET' as const, path: '/api/auth/get-session', headers: { cookie } }))
  return flooded(bench, { name: BETTER_AUTH, url, pid: server.pid }, requests)
}

const openOurs = async (bench: Bench, name: string, databaseUrl: string) => {
  const { database, filled } = await fillDatabase(databaseUrl, async ({ countersign }) =>
    (await signInMany(countersign, people(bench))).map(({ accessToken }) => verification(accessToken)),
  )
  const server = await startCountersign(bench, database)
  return { server, requests: filled, contender: await flooded(bench, { name, ...server }, filled) }
}

/** Opens a route that only answers, with the headers and body of our response, and sends it the same requests. */
const openBare = async (bench: Bench, url: string, requests: readonly ReturnType<typeof verification>[]): Promise<Contender> => {
  const first = requests[0]
  if (first === undefined) throw new Error('there is no request')
  const server = bench.startWorker<typeof bareMethods>('servers/bare-hono.ts')
  const bareUrl = await server.call('open', await answerOf(url, first))
  return flooded(bench, { name: BARE, url: bareUrl, pid: server.pid }, requests)
}

/** Measures tokens that the server has seen before. It checks the session of each token every time. */
export const verify: Comparison = {
  kind: 'comparison',
  name: 'verify',
  title: '`/internal/verify`, cached tokens',
  about:
    'One operation: a service verifies a token of one of 1000 live sessions of 100 users in turn, and the token is valid. 64 connections.',
  targets: [
    { of: SQLITE, to: BARE, bound: 0.85, means: 'of a route that only responds' },
    { of: SQLITE, to: BETTER_AUTH, bound: 20, means: 'times the rate of better-auth' },
  ],
  open: async (bench) => {
    const ours = await openOurs(bench, SQLITE, sqliteUrl(bench.directory, 'verify'))
    const onPostgres = await openOurs(bench, POSTGRES, await bench.createPostgresDatabase())
    const bare = await openBare(bench, ours.server.url, ours.requests)
    return [ours.contender, bare, onPostgres.contender, await openBetterAuth(bench)]
  },
}

/** Measures tokens that the server has never seen before. */
export const verifyNew: Comparison = {
  kind: 'comparison',
  name: 'verify-new',
  title: '`/internal/verify`, tokens that are not cached',
  about: 'The same with 100 000 tokens of those sessions in turn, several times as many as a process caches.',
  targets: [{ of: SQLITE, to: BARE, bound: 0.45, means: 'of a route that only responds' }],
  open: async (bench) => {
    const { database, filled } = await fillDatabase(
      sqliteUrl(bench.directory, 'verify-new'),
      async ({ countersign, withoutRotation }) => {
        const pairs = await signInMany(countersign, people(bench))
        const refreshTokens = pairs.map(({ refreshToken }) => refreshToken)
        return (await mintAccessTokens(withoutRotation(), refreshTokens, scaled(bench, NEW_TOKENS))).map(verification)
      },
    )
    const server = await startCountersign(bench, database)
    const ours = await flooded(bench, { name: SQLITE, ...server }, filled)
    return [ours, await openBare(bench, server.url, filled)]
  },
}
