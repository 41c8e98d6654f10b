import { setTimeout } from 'node:timers/promises'
import { type Bench, scaled } from '../harness/bench.ts'
import { flooded } from '../harness/contenders.ts'
import { fillDatabase, sqliteUrl } from '../harness/database.ts'
import { readUsage } from '../harness/usage.ts'
import { signInMany } from '../seeds/sign-in.ts'
import { verification } from '../seeds/verification.ts'
import { startCountersign } from '../servers/countersign.ts'
import type { Figures } from './benchmark.ts'

const VERIFICATIONS = 1_000_000
const SLICE_SECONDS = 5
/** Milliseconds after which the garbage of a start or a flood is collected, if it ever is. */
const REST = 3000

const megabytes = (pid: number): number => (readUsage(pid)?.residentBytes ?? Number.NaN) / 2 ** 20

/** Measures how soon a server responds, and its memory. */
export const start: Figures = {
  kind: 'figures',
  name: 'start',
  title: '`countersign serve`: start and memory',
  about:
    'The built command on a warm SQLite database of 1000 sessions: the time from the start of the process to the first 200 of `/health`; the resident memory at rest; and the additional memory after a million responses of `/internal/verify`.',
  measure: async (bench: Bench) => {
    const { database, filled } = await fillDatabase(sqliteUrl(bench.directory, 'start'), async ({ countersign }) =>
      (await signInMany(countersign, { users: scaled(bench, 100), sessions: scaled(bench, 1000) })).map((pair) =>
        verification(pair.accessToken),
      ),
    )
    const startedAfter: number[] = []
    const idle: number[] = []
    for (let round = 0; round < bench.turns.rounds; round += 1) {
      bench.tell(`start ${round + 1} of ${bench.turns.rounds}`)
      const server = await startCountersign(bench, database)
      await setTimeout(REST * bench.share)
      startedAfter.push(server.startedAfter)
      idle.push(megabytes(server.pid))
      await server.close()
    }
    const server = await startCountersign(bench, database)
    await setTimeout(REST * bench.share)
    const before = megabytes(server.pid)
    const driven = await flooded(bench, { name: 'Countersign', ...server }, filled)
    const wanted = scaled(bench, VERIFICATIONS)
    for (let done = 0; done < wanted; ) {
      bench.tell(`${done.toLocaleString('en')} of ${wanted.toLocaleString('en')} verifications`)
      done += (await driven.round(Math.max(1, SLICE_SECONDS * bench.share))).operations
    }
    await setTimeout(REST * bench.share)
    return [
      { what: 'time from the start to the first 200 response', unit: 'ms', values: startedAfter, most: 400 },
      { what: 'resident memory at rest', unit: 'MB', values: idle, most: 110 },
      { what: 'additional memory after a million verifications', unit: 'MB', values: [megabytes(server.pid) - before], most: 40 },
    ]
  },
}
