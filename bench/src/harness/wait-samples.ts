import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'

/** The waits of a database's connections while some work ran. */
export interface WaitSamples {
  /** The share of samples in which a connection waited for a lock of a row, a transaction or a table, in percent. */
  readonly locks: number
  /** The commonest wait, such as `LWLock:WALWrite`, the wait for a commit of another connection to reach the disk. */
  readonly commonest: string
}

interface Sample {
  readonly wait: string | null
}

/** Milliseconds between two samples. */
const PAUSE = 10

/** Samples `pg_stat_activity` while the work runs. */
export const sampleWaits = async <T>(url: string, work: () => Promise<T>): Promise<{ readonly result: T } & WaitSamples> => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const counts = new Map<string, number>()
  let isOver = false
  const sample = async (): Promise<void> => {
    while (!isOver) {
      const { rows } = await client.query<Sample>(
        `select wait_event_type || ':' || wait_event as wait from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid() and state = 'active'`,
      )
      for (const { wait } of rows) counts.set(wait ?? 'none', (counts.get(wait ?? 'none') ?? 0) + 1)
      await pause(PAUSE)
    }
  }
  try {
    const sampling = sample()
    const result = await work().finally(() => {
      isOver = true
    })
    await sampling
    return { result, ...summaryOf(counts) }
  } finally {
    await client.end()
  }
}

const summaryOf = (counts: ReadonlyMap<string, number>): WaitSamples => {
  const all = [...counts].sort(([, one], [, other]) => other - one)
  const sum = all.reduce((total, [, count]) => total + count, 0)
  const locks = all.filter(([wait]) => wait.startsWith('Lock:')).reduce((total, [, count]) => total + count, 0)
  return { locks: (100 * locks) / Math.max(1, sum), commonest: all.find(([wait]) => wait !== 'none')?.[0] ?? 'none' }
}
