import type { Instant } from '@countersign/core'
import { type Kysely, sql } from 'kysely'
import type { Database } from './database.ts'
import type { Tables } from './tables.ts'

/** Rows of one step: few enough that others get their turn between two. */
const BATCH = 500

const HOUR = 3_600_000
/** A session is kept past its refresh token, for the last access token, and past its end, for tokens presented again. */
const SESSION_KEPT = 24 * HOUR
const LOGIN_FAILURES_KEPT = 24 * HOUR
/** Far longer than any process goes without asking for changes; one that did forgets what it remembers. */
const CHANGES_KEPT = HOUR
/** Rate limits go a while after they are idle, so that a request which just woke one is never mistaken for an old one. */
const IDLE_LIMITS_KEPT = HOUR

type Step = (db: Kysely<Tables>, now: Instant) => Promise<{ readonly numDeletedRows: bigint }>

/**
 * Confirmations, service tokens and removed devices are the record of what happened, and stay. The conditions stand
 * outside of the selection too, so that a row which another process changes meanwhile is judged anew.
 */
const steps: readonly Step[] = [
  (db, now) =>
    db
      .deleteFrom('challenges')
      .where('expires_at', '<=', now)
      .where('id', 'in', (the) => the.selectFrom('challenges').select('id').where('expires_at', '<=', now).limit(BATCH))
      .executeTakeFirstOrThrow(),
  (db, now) =>
    db
      .deleteFrom('sessions')
      .where('refresh_expires_at', '<', now - SESSION_KEPT)
      .where('id', 'in', (the) =>
        the
          .selectFrom('sessions')
          .select('id')
          .where('refresh_expires_at', '<', now - SESSION_KEPT)
          .limit(BATCH),
      )
      .executeTakeFirstOrThrow(),
  (db, now) =>
    db
      .deleteFrom('sessions')
      .where('id', 'in', (the) =>
        the
          .selectFrom('sessions')
          .select('id')
          .where('ended_at', '<', now - SESSION_KEPT)
          .limit(BATCH),
      )
      .executeTakeFirstOrThrow(),
  (db, now) =>
    db
      .deleteFrom('login_failures')
      .where('last_at', '<', now - LOGIN_FAILURES_KEPT)
      .where('account', 'in', (the) =>
        the
          .selectFrom('login_failures')
          .select('account')
          .where('last_at', '<', now - LOGIN_FAILURES_KEPT)
          .limit(BATCH),
      )
      .executeTakeFirstOrThrow(),
  (db, now) =>
    db
      .deleteFrom('rate_limit_hits')
      .where('at', '<', now - IDLE_LIMITS_KEPT)
      .where((the) =>
        the(
          the.refTuple('key', 'slot'),
          'in',
          the
            .selectFrom('rate_limits')
            .innerJoin('rate_limit_hits as hits', 'hits.key', 'rate_limits.key')
            .select(['hits.key', 'hits.slot'])
            .where('idle_at', '<', now - IDLE_LIMITS_KEPT)
            .where('hits.at', '<', now - IDLE_LIMITS_KEPT)
            .limit(BATCH)
            .$asTuple('key', 'slot'),
        ),
      )
      .executeTakeFirstOrThrow(),
  (db, now) =>
    db
      .deleteFrom('rate_limits')
      .where('idle_at', '<', now - IDLE_LIMITS_KEPT)
      .where('key', 'in', (the) =>
        the
          .selectFrom('rate_limits')
          .select('key')
          .where('idle_at', '<', now - IDLE_LIMITS_KEPT)
          .where(({ not, exists, selectFrom }) =>
            not(exists(selectFrom('rate_limit_hits as hits').select('hits.slot').whereRef('hits.key', '=', 'rate_limits.key'))),
          )
          .limit(BATCH),
      )
      .executeTakeFirstOrThrow(),
  // The newest stays: it tells a process that asks after a long time that something is missing.
  (db, now) =>
    db
      .deleteFrom('changes')
      .where('seq', 'in', (the) =>
        the
          .selectFrom('changes')
          .select('seq')
          .where('at', '<', now - CHANGES_KEPT)
          .where('seq', '<', the.selectFrom('changes').select(sql<number>`max(seq)`.as('newest')))
          .limit(BATCH),
      )
      .executeTakeFirstOrThrow(),
]

/** Deletes what no rule can need any more, in steps of which each is a statement of its own; tells how many rows. */
export const sweep = async (database: Database, now: Instant): Promise<number> => {
  let swept = 0
  for (const step of steps) {
    for (;;) {
      const { numDeletedRows } = await database.write((db) => step(db, now))
      swept += Number(numDeletedRows)
      if (numDeletedRows < BATCH) break
    }
  }
  return swept
}
