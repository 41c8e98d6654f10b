import { availableParallelism } from 'node:os'
import type { Countersign } from '@countersign/core'
import { type Bench, scaled } from '../harness/bench.ts'
import { fillDatabase, noRateLimits, startCountersign } from '../harness/countersign.ts'
import { goFirst } from '../harness/program.ts'
import type { Contender } from '../harness/round.ts'
import { comparison } from '../measure.ts'
import type { program as argon2 } from '../programs/argon2.ts'
import type { program as betterAuth } from '../programs/better-auth.ts'
import { introspection, passwordLogins, signInMany } from '../seeds.ts'

const OURS = 'Countersign, SQLite'
const RAW = 'raw argon2'
/** The number of hashes that Countersign runs in parallel. */
const HASHES_AT_ONCE = Math.max(1, availableParallelism() - 1)

/** The number of users who log in. A user keeps 200 sessions, so a login beyond them would also end one. */
const USERS = 32

const signUp = (bench: Bench, countersign: Countersign) => passwordLogins(countersign, scaled(bench, USERS))

export const login = comparison({
  name: 'login',
  title: 'Password login',
  about:
    'One operation: email and password are checked and a durable session is opened. `raw argon2` only checks the password, with the same parameters and as many in parallel. better-auth signs in with its own hash (scrypt) and its Kysely adapter on better-sqlite3. Rate limits off.',
  targets: [
    { of: OURS, to: RAW, bound: 0.85 },
    { of: OURS, to: RAW, by: 'processor', bound: 400 },
  ],
  open: async (bench) => {
    const { database, filled } = await fillDatabase(bench, 'SQLite', (countersign) => signUp(bench, countersign))
    const server = await startCountersign(bench, database, noRateLimits)
    const other = await bench.run<typeof betterAuth>('better-auth', { path: `${bench.directory}/better-auth.db` })
    const { url, user } = other.opened
    const signIn = [{ method: 'POST' as const, path: '/api/auth/sign-in/email', body: user }]
    // The number of hashes that may wait, one for each running hash: more would only wait longer.
    const connections = { connections: 2 * HASHES_AT_ONCE }
    return [
      await bench.drive(OURS, server, 'requests', filled, connections),
      await bench.contend<typeof argon2>(RAW, 'argon2', HASHES_AT_ONCE),
      await bench.drive('better-auth sign-in, SQLite', { url, pid: other.pid }, 'requests', signIn, connections),
    ]
  },
})

const BUSY = '64 connections, without logins'
const BUSY_BESIDE = '64 connections, with a flood of logins'
const PACED = '500 requests a second, without logins'
const PACED_BESIDE = '500 requests a second, with a flood of logins'
/** Logins a second for each core, about four times what one core can hash. */
const LOGINS_PER_CORE = 320

export const flood = comparison({
  name: 'flood',
  title: '`/internal/verify` during a flood of logins',
  about:
    'One operation: a service verifies a token. The requests come either from 64 connections that each send the next request after a response, as in the other benchmarks, or at a steady 500 a second, where the time of a request counts from when it was due. The steady rate is the stricter measure, because its server is idle most of the time without logins. About four times as many logins arrive as can be hashed; the excess is refused with 503.',
  targets: [
    { of: BUSY_BESIDE, to: BUSY, by: 'p99', bound: 2 },
    { of: PACED_BESIDE, to: PACED, by: 'p99', bound: 2 },
  ],
  open: async (bench) => {
    const { database, filled } = await fillDatabase(bench, 'SQLite', async (countersign) => {
      const pairs = await signInMany(countersign, scaled(bench, 100), scaled(bench, 1000))
      return { logins: await signUp(bench, countersign), requests: pairs.map(introspection) }
    })
    const server = await startCountersign(bench, database, noRateLimits)
    const busy = await bench.drive(BUSY, server, 'requests', filled.requests)
    const paced = await bench.drive(PACED, server, 'requests', filled.requests, { perSecond: 500 })
    goFirst(paced.client)
    const flooding = { perSecond: LOGINS_PER_CORE * HASHES_AT_ONCE, mayBe: 503 }
    const logins = await bench.drive('logins', server, 'requests', filled.logins, flooding)
    const beside = (contender: Contender, name: string): Contender => ({
      ...contender,
      name,
      round: async (seconds) => (await Promise.all([contender.round(seconds), logins.round(seconds)]))[0],
    })
    return [busy, beside(busy, BUSY_BESIDE), paced, beside(paced, PACED_BESIDE)]
  },
})
