import type { Bench } from '../harness/bench.ts'
import type { Contender } from '../harness/contender.ts'
import { flooded } from '../harness/contenders.ts'
import { fillDatabase, sqliteUrl } from '../harness/database.ts'
import { takeTurns } from '../harness/take-turns.ts'
import { cpuMicrosOf } from '../report/result.ts'
import { createUserWithPassword, passwordLogin } from '../seeds/sign-in.ts'
import { noRateLimits, startCountersign } from '../servers/countersign.ts'
import type { Figure, Figures } from './benchmark.ts'

/** Milliseconds: about what a hash takes. */
const HASH_TIME = 19

interface Load {
  readonly what: string
  readonly connections: number
  readonly hashMilliseconds: number
  /** Microseconds. */
  readonly most?: number
}

const LOADS: readonly Load[] = [
  { what: '64 connections', connections: 64, hashMilliseconds: 0, most: 400 },
  { what: 'two connections', connections: 2, hashMilliseconds: 0 },
  { what: `two connections, and ${HASH_TIME} ms of rest in place of each hash`, connections: 2, hashMilliseconds: HASH_TIME },
]

const openServer = async (bench: Bench, { what, connections, hashMilliseconds }: Load, index: number): Promise<Contender> => {
  const { database, filled: user } = await fillDatabase(sqliteUrl(bench.directory, `login-work-${index}`), ({ countersign }) =>
    createUserWithPassword(countersign),
  )
  const server = await startCountersign(bench, database, {
    ...noRateLimits,
    NODE_OPTIONS: `--import=${new URL('../servers/without-hash.ts', import.meta.url).href}`,
    HASH_MILLISECONDS: String(hashMilliseconds),
  })
  return flooded(bench, { name: what, ...server }, [passwordLogin(user)], connections)
}

/** What a login costs beyond its hash, looked at without one: beside a hash it is lost in how much one differs from another. */
export const loginWork: Figures = {
  kind: 'figures',
  name: 'login-work',
  title: 'Password login, but for its hash',
  about: `Processor time of a whole login, with its durable session, by the built command with a library in place of argon2 that finds every password right: with 64 connections, which share commits; with two, which do not; and with two where each hash is a rest of ${HASH_TIME} ms, so that logins are as far apart as hashes keep them. The last does the very same as the second. What it takes more is what a processor takes to come back to something that it did not do for a while.`,
  measure: async (bench) => {
    const contenders = await Promise.all(LOADS.map((load, index) => openServer(bench, load, index)))
    const rounds = await takeTurns(contenders, bench.turns, bench.tell)
    return LOADS.flatMap(({ what, most }, index): Figure[] => {
      const values = (rounds[index] ?? []).map(cpuMicrosOf)
      return values.some(Number.isNaN) ? [] : [{ what, unit: 'µs', values, ...(most !== undefined && { most }) }]
    })
  },
}
