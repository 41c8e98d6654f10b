import { setTimeout } from 'node:timers/promises'
import type { Tables } from '@countersign/storage-sql'
import { type Kysely, sql } from 'kysely'

/** Milliseconds. So short that even on a busy machine the answer comes before the statement gives up waiting for a lock. */
const FIRST_LOOK = 50
/** Milliseconds between two looks. */
const LOOK_EVERY = 200

/** Runs the work, and calls `look` again and again until the work is over. */
export const whileWatching = async <T>(work: () => Promise<T>, look: (isOver: () => boolean) => Promise<void>): Promise<T> => {
  const end = new AbortController()
  const watch = async () => {
    for (let pause = FIRST_LOOK; ; pause = LOOK_EVERY) {
      await setTimeout(pause, undefined, { signal: end.signal })
      await look(() => end.signal.aborted)
    }
  }
  // A failed look ends the watch, never the work.
  watch().catch(() => {})
  try {
    return await work()
  } finally {
    end.abort()
  }
}

interface Blocker {
  readonly pid: number
  readonly program: string | null
  readonly state: string | null
  readonly seconds: number | null
  readonly mode: string | null
  readonly relation: string | null
}

/** Describes the processes for which the process `pid` waits, and their locks. Returns an empty text if there are none. */
export const blockersOf = async (db: Kysely<Tables>, pid: number): Promise<string> => {
  // A process ahead in the queue blocks too, although it has no lock yet.
  const { rows } = await sql<Blocker>`
    select distinct blocking.pid, coalesce(nullif(application_name, ''), backend_type) as program, state,
      extract(epoch from clock_timestamp() - xact_start)::int as seconds, held.mode, relname as relation
    from pg_locks wanted
      cross join lateral unnest(pg_blocking_pids(wanted.pid)) blocking (pid)
      left join pg_stat_activity activity on activity.pid = blocking.pid
      left join pg_locks held on held.granted and coalesce(held.pid, 0) = blocking.pid and held.database = wanted.database
        and held.relation = wanted.relation
      left join pg_class on pg_class.oid = wanted.relation
    where wanted.pid = ${pid} and not wanted.granted
    order by blocking.pid limit 5`.execute(db)
  return rows.map(describe).join('; ')
}

const describe = ({ pid, program, state, seconds, mode, relation }: Blocker): string => {
  const details = [program, state === null || seconds === null ? state : `${state} for ${seconds} s`].filter(Boolean).join(', ')
  const process = pid === 0 ? 'a prepared transaction' : `process ${pid}${details && ` (${details})`}`
  if (relation === null) return `${process} has an open transaction`
  return mode === null ? `${process} waits for ${relation}` : `${process} holds ${mode} on ${relation}`
}
