import { flooded, limit } from '../harness/contenders.ts'
import { fillDatabase, sqliteUrl } from '../harness/database.ts'
import { HASHES_AT_ONCE } from '../harness/hashes.ts'
import type { methods as argon2Methods } from '../raw/argon2.ts'
import { createUserWithPassword, passwordLogin } from '../seeds/sign-in.ts'
import { answerOf } from '../seeds/verification.ts'
import type { methods as bareMethods } from '../servers/bare-login.ts'
import type { methods as betterAuthMethods } from '../servers/better-auth.ts'
import { noRateLimits, startCountersign } from '../servers/countersign.ts'
import type { Comparison } from './benchmark.ts'

const OURS = 'Countersign, SQLite'
const RAW = 'raw argon2'
const BARE = 'bare Hono route around the hash'
const BETTER_AUTH = 'better-auth (scrypt), SQLite'
/** Enough connections for one waiting hash beside each running hash; more would only wait. */
const CONNECTIONS = 2 * HASHES_AT_ONCE

export const login: Comparison = {
  kind: 'comparison',
  name: 'login',
  title: 'Password login',
  about:
    'One operation: email and password are checked and a durable session is opened. `raw argon2` only checks the password, with the same parameters and as many in parallel; the bare route checks it and responds. Rate limits off.',
  targets: [
    { of: OURS, to: RAW, bound: 0.85, means: 'of the bare hash' },
    { of: OURS, to: RAW, by: 'processor time beyond', bound: 400, means: 'µs more than the bare hash' },
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
    const bareUrl = await bare.call('open', { ...answer, password: user.password, hashes: HASHES_AT_ONCE })
    return [
      await flooded(bench, { name: OURS, ...server }, [request], CONNECTIONS),
      await limit<typeof argon2Methods>(bench, RAW, 'argon2', undefined),
      await flooded(bench, { name: BARE, url: bareUrl, pid: bare.pid }, [request], CONNECTIONS),
      await flooded(bench, { name: BETTER_AUTH, url, pid: other.pid }, [signIn], CONNECTIONS),
    ]
  },
}
