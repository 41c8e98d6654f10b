import { availableParallelism } from 'node:os'
import { scaled } from '../harness/bench.ts'
import { flooded, limit } from '../harness/contenders.ts'
import { fillDatabase, sqliteUrl } from '../harness/database.ts'
import { goFirst } from '../harness/priority.ts'
import type { methods as argon2Methods } from '../raw/argon2.ts'
import { createUserWithPassword, passwordLogin, signInMany } from '../seeds/sign-in.ts'
import { answerOf, verification } from '../seeds/verification.ts'
import type { methods as bareMethods } from '../servers/bare-login.ts'
import type { methods as betterAuthMethods } from '../servers/better-auth.ts'
import { noRateLimits, startCountersign } from '../servers/countersign.ts'
import type { methods as pacedMethods } from '../workers/paced.ts'
import type { Comparison } from './benchmark.ts'

const OURS = 'Countersign, SQLite'
const RAW = 'raw argon2'
const BARE = 'bare Hono route around the hash'
const BETTER_AUTH = 'better-auth (scrypt), SQLite'
/** Hashes that Countersign has run at once. */
const HASHES = Math.max(1, availableParallelism() - 1)
/** As many as keep one hash waiting for each that runs; more only wait. */
const CONNECTIONS = 2 * HASHES

export const login: Comparison = {
  kind: 'comparison',
  name: 'login',
  title: 'Password login',
  about:
    'One operation: email and password are checked and a durable session is opened; `raw argon2` only checks the password, at the same parameters and as many at once, and the bare route does that and answers. Rate limits off.',
  targets: [
    { of: OURS, to: RAW, bound: 0.85, means: 'of the bare hash' },
    { of: OURS, to: RAW, by: 'processor time beyond', bound: 400, means: 'µs beyond the bare hash' },
  ],
  open: async (bench) => {
    const { database, filled: user } = await fillDatabase(sqliteUrl(bench.directory, 'login'), ({ countersign }) =>
      createUserWithPassword(countersign),
    )
    const server = await startCountersign(bench, database, noRateLimits)
    const other = bench.startWorker<typeof betterAuthMethods>('servers/better-auth.ts')
    const { url, email, password } = await other.call('open', { path: `${bench.directory}/better-auth-login.db`, sessions: 0 })
    const signIn = {
      method: 'POST' as const,
      path: '/api/auth/sign-in/email',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    }
    const request = passwordLogin(user)
    const bare = bench.startWorker<typeof bareMethods>('servers/bare-login.ts')
    const answer = await answerOf(server.url, request)
    const bareUrl = await bare.call('open', { ...answer, password: user.password, hashes: HASHES })
    return [
      await flooded(bench, { name: OURS, ...server }, [request], CONNECTIONS),
      await limit<typeof argon2Methods>(bench, RAW, 'argon2', undefined),
      await flooded(bench, { name: BARE, url: bareUrl, pid: bare.pid }, [request], CONNECTIONS),
      await flooded(bench, { name: BETTER_AUTH, url, pid: other.pid }, [signIn], CONNECTIONS),
    ]
  },
}

const CALM = '`/internal/verify`, alone'
const BESIDE = '`/internal/verify`, while logins flood'
/** Requests a second: some way below what a server bears, so that what is seen is waiting and not the rate. */
const VERIFICATIONS = 500
/** Four times what one core hashes in a second, on every machine of today. */
const LOGINS_PER_CORE = 320

/** How long others wait while far more logins come than can be hashed. */
export const flood: Comparison = {
  kind: 'comparison',
  name: 'flood',
  title: '`/internal/verify` while logins flood',
  about:
    'One operation: a token is asked about, at a steady 500 a second, measured from when the request was due. The logins come at about four times what can be hashed; the excess is refused with 503.',
  targets: [{ of: BESIDE, to: CALM, by: 'p99', bound: 2, means: 'times the p99 without logins' }],
  open: async (bench) => {
    const { database, filled } = await fillDatabase(sqliteUrl(bench.directory, 'flood'), async ({ countersign }) => {
      const pairs = await signInMany(countersign, { users: scaled(bench, 100), sessions: scaled(bench, 1000) })
      return { user: await createUserWithPassword(countersign), requests: pairs.map((pair) => verification(pair.accessToken)) }
    })
    const server = await startCountersign(bench, database, noRateLimits)
    const paced = () => bench.startWorker<typeof pacedMethods>('workers/paced.ts')
    const [asking, loggingIn] = [paced(), paced()]
    await asking.call('open', { url: server.url, perSecond: VERIFICATIONS, requests: filled.requests, mayRefuse: false })
    goFirst(asking.pid)
    await loggingIn.call('open', {
      url: server.url,
      perSecond: LOGINS_PER_CORE * HASHES,
      requests: [passwordLogin(filled.user)],
      mayRefuse: true,
    })
    return [
      { name: CALM, pid: server.pid, round: (seconds) => asking.call('round', seconds) },
      {
        name: BESIDE,
        pid: server.pid,
        round: async (seconds) => {
          const [round] = await Promise.all([asking.call('round', seconds), loggingIn.call('round', seconds)])
          return round
        },
      },
    ]
  },
}
