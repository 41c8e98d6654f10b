import type { Bench } from '../harness/bench.ts'
import type { Contender } from '../harness/contender.ts'
import { flooded } from '../harness/contenders.ts'
import { fillDatabase, sqliteUrl } from '../harness/database.ts'
import { takeTurns } from '../harness/take-turns.ts'
import { cpuMicrosOf } from '../report/result.ts'
import { createUserWithPassword, passwordLogin } from '../seeds/sign-in.ts'
import { noRateLimits, startCountersign } from '../servers/countersign.ts'
import type { Figure, Figures } from './benchmark.ts'

/** Milliseconds, about the time of one hash. */
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
  { what: `two connections, with a pause of ${HASH_TIME} ms instead of each hash`, connections: 2, hashMilliseconds: HASH_TIME },
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

/** Measures a login without its hash. The hashes differ from one another by more than the rest of a login costs. */
export const loginWork: Figures = {
  kind: 'figures',
  name: 'login-work',
  title: 'Password login without its hash',
  about: `Processor time of a whole login with its durable session, by the built command, with a library in place of argon2 that accepts every password. With 64 connections, logins share commits; with two, they do not. With two connections and a rest of ${HASH_TIME} ms in place of each hash, logins are as far apart as with real hashes. The additional time of this last measurement is the cost of a processor that returns to work after a rest.`,
  measure: async (bench) => {
    const contenders = await Promise.all(LOADS.map((load, index) => openServer(bench, load, index)))
    const rounds = await takeTurns(contenders, bench.turns, bench.tell)
    return LOADS.flatMap(({ what, most }, index): Figure[] => {
      const values = (rounds[index] ?? []).map(cpuMicrosOf)
      return values.some(Number.isNaN) ? [] : [{ what, unit: 'µs', values, ...(most !== undefined && { most }) }]
    })
  },
}
