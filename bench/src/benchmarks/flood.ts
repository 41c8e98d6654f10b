import { scaled } from '../harness/bench.ts'
import type { Contender } from '../harness/contender.ts'
import { flooded } from '../harness/contenders.ts'
import { fillDatabase, sqliteUrl } from '../harness/database.ts'
import { HASHES_AT_ONCE } from '../harness/hashes.ts'
import { goFirst } from '../harness/priority.ts'
import { createUserWithPassword, passwordLogin, signInMany } from '../seeds/sign-in.ts'
import { answerOf, verification } from '../seeds/verification.ts'
import type { methods as bareMethods } from '../servers/bare-login.ts'
import { noRateLimits, startCountersign } from '../servers/countersign.ts'
import type { FloodRequest } from '../workers/flood.ts'
import type { Pace, methods as pacedMethods } from '../workers/paced.ts'
import type { Comparison } from './benchmark.ts'

const BUSY = '64 connections, without logins'
const BUSY_BESIDE = '64 connections, with a flood of logins'
const PACED = '500 requests a second, without logins'
const PACED_BESIDE = '500 requests a second, with a flood of logins'
const BARE = 'bare Hono route, 500 requests a second, without hashes'
const BARE_BESIDE = 'bare Hono route, 500 requests a second, with a flood of hashes'
/** Requests a second. The rate is below the capacity of a server, so that the benchmark measures waiting. */
const VERIFICATIONS = 500
/** Logins a second for each core, about four times what a core of today can hash. */
const LOGINS_PER_CORE = 320

/** Measures how long other requests wait while far more logins arrive than can be hashed. */
export const flood: Comparison = {
  kind: 'comparison',
  name: 'flood',
  title: '`/internal/verify` during a flood of logins',
  about:
    'One operation: a service verifies a token. The requests come either from 64 connections that each send the next request after a response, as in the other benchmarks, or at a steady 500 a second, where the time of a request counts from when it was due. The steady rate is the stricter measure, because its server is idle most of the time without logins. The bare Hono route, beside a route that only hashes behind the same queue, shows the share of the machine. About four times as many logins arrive as can be hashed; the excess is refused with 503.',
  targets: [
    { of: BUSY_BESIDE, to: BUSY, by: 'p99', bound: 2, means: 'times the p99 without logins' },
    { of: PACED_BESIDE, to: PACED, by: 'p99', bound: 2, means: 'times the p99 without logins' },
  ],
  open: async (bench) => {
    const { database, filled } = await fillDatabase(sqliteUrl(bench.directory, 'flood'), async ({ countersign }) => {
      const pairs = await signInMany(countersign, { users: scaled(bench, 100), sessions: scaled(bench, 1000) })
      return { user: await createUserWithPassword(countersign), requests: pairs.map((pair) => verification(pair.accessToken)) }
    })
    const server = await startCountersign(bench, database, noRateLimits)
    const login = passwordLogin(filled.user)
    const startPaced = async (pace: Pace) => {
      const worker = bench.startWorker<typeof pacedMethods>('workers/paced.ts')
      await worker.call('open', pace)
      return worker
    }
    const asking = async (url: string): Promise<Contender['round']> => {
      const worker = await startPaced({ url, perSecond: VERIFICATIONS, requests: filled.requests, mayRefuse: false })
      goFirst(worker.pid)
      return (seconds) => worker.call('round', seconds)
    }
    const loggingIn = async (url: string): Promise<Contender['round']> => {
      const perSecond = LOGINS_PER_CORE * HASHES_AT_ONCE
      const worker = await startPaced({ url, perSecond, requests: [login], mayRefuse: true })
      return (seconds) => worker.call('round', seconds)
    }
    const bareServer = bench.startWorker<typeof bareMethods>('servers/bare-login.ts')
    const [request] = filled.requests
    const bareUrl = await bareServer.call('open', {
      ...(await answerOf(server.url, login)),
      password: filled.user.password,
      hashes: HASHES_AT_ONCE,
      beside: await answerOf(server.url, request as FloodRequest),
    })
    const busy = await flooded(bench, { name: BUSY, ...server }, filled.requests)
    const calm: Contender = { name: PACED, pid: server.pid, round: await asking(server.url) }
    const bare: Contender = { name: BARE, pid: bareServer.pid, round: await asking(bareUrl) }
    const [ours, theirs] = [await loggingIn(server.url), await loggingIn(bareUrl)]
    const beside = (contender: Contender, name: string, flood: Contender['round']): Contender => ({
      ...contender,
      name,
      round: async (seconds) => (await Promise.all([contender.round(seconds), flood(seconds)]))[0],
    })
    return [
      ...[busy, beside(busy, BUSY_BESIDE, ours)],
      ...[calm, beside(calm, PACED_BESIDE, ours)],
      ...[bare, beside(bare, BARE_BESIDE, theirs)],
    ]
  },
}
