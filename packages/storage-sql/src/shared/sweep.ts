import type { Instant } from '@countersign/core/storage'
import type { DeleteResult, Kysely } from 'kysely'
import type { Database } from './database.ts'
import { recordChanges } from './record-changes.ts'
import type { Tables } from './tables.ts'

/** Rows of one step. Other callers run between two steps. */
const BATCH = 500

const HOUR = 3_600_000
/** Sessions outlive their refresh token for the last access token, and their end to recognise tokens that are used again. */
const SESSION_KEPT = 24 * HOUR
/** Used and expired challenges of users are kept, so that they can be told from unknown ones. */
const USERS_CHALLENGES_KEPT = 24 * HOUR
const LOGIN_FAILURES_KEPT = 24 * HOUR
/** Longer than any import takes. */
const STAGED_KEPT = 24 * HOUR
/** Much longer than any pause between two polls. A process that pauses longer clears its cache. */
const CHANGES_KEPT = HOUR
/** Idle rate limits are kept a while, so that the sweep never deletes one that a request has just used. */
const IDLE_LIMITS_KEPT = HOUR

/** Deletes at most one batch of rows, and returns their number. */
type Step = (database: Database, now: Instant) => Promise<number>

const deleting =
  (statement: (db: Kysely<Tables>, now: Instant) => { executeTakeFirstOrThrow(): Promise<DeleteResult> }): Step =>
  async (database, now) => {
    const { numDeletedRows } = await database.write((db) => statement(db, now).executeTakeFirstOrThrow())
    return Number(numDeletedRows)
  }

/*
 * Each condition is repeated outside of the subquery. If another process changes a row meanwhile, the database evaluates only the
 * outer condition again.
 */

const sweepChallengesWithoutUser = deleting((db, now) =>
  db
    .deleteFrom('challenges')
    .where('expires_at', '<=', now)
    .where('user_id', 'is', null)
    .where('id', 'in', (the) =>
      the.selectFrom('challenges').select('id').where('expires_at', '<=', now).where('user_id', 'is', null).limit(BATCH),
    ),
)

const sweepChallengesOfUsers = deleting((db, now) =>
  db
    .deleteFrom('challenges')
    .where('expires_at', '<', now - USERS_CHALLENGES_KEPT)
    .where('id', 'in', (the) =>
      the
        .selectFrom('challenges')
        .select('id')
        .where('expires_at', '<', now - USERS_CHALLENGES_KEPT)
        .limit(BATCH),
    ),
)

const sweepOneTimeCodes = deleting((db, now) =>
  db
    .deleteFrom('one_time_codes')
    .where('expires_at', '<=', now)
    .where((the) =>
      the(
        the.refTuple('user_id', 'kind'),
        'in',
        the
          .selectFrom('one_time_codes')
          .select(['user_id', 'kind'])
          .where('expires_at', '<=', now)
          .limit(BATCH)
          .$asTuple('user_id', 'kind'),
      ),
    ),
)

/** These sessions may be in a session cache, so their deletion is reported. */
const sweepExpiredSessions: Step = (database, now) =>
  database.transaction(async (tx) => {
    const before = now - SESSION_KEPT
    const rows = await tx.write((db) =>
      db
        .deleteFrom('sessions')
        .where('refresh_expires_at', '<', before)
        .where('id', 'in', (the) => the.selectFrom('sessions').select('id').where('refresh_expires_at', '<', before).limit(BATCH))
        .returning(['id', 'ended_at'])
        .execute(),
    )
    const live = rows.filter((row) => row.ended_at === null)
    await recordChanges(
      tx,
      live.map(({ id }) => ({ kind: 'session', subject: id })),
      now,
    )
    return rows.length
  })

const sweepEndedSessions = deleting((db, now) =>
  db.deleteFrom('sessions').where('id', 'in', (the) =>
    the
      .selectFrom('sessions')
      .select('id')
      .where('ended_at', '<', now - SESSION_KEPT)
      .limit(BATCH),
  ),
)

const sweepLoginFailures = deleting((db, now) =>
  db
    .deleteFrom('login_failures')
    .where('last_at', '<', now - LOGIN_FAILURES_KEPT)
    .where('known_until', '<=', now)
    .where('account', 'in', (the) =>
      the
        .selectFrom('login_failures')
        .select('account')
        .where('known_until', '<=', now)
        .where('last_at', '<', now - LOGIN_FAILURES_KEPT)
        .limit(BATCH),
    ),
)

const sweepLoginCeilings = deleting((db, now) =>
  db
    .deleteFrom('login_ceilings')
    .where('full_at', '<', now - LOGIN_FAILURES_KEPT)
    .where('account', 'in', (the) =>
      the
        .selectFrom('login_ceilings')
        .select('account')
        .where('full_at', '<', now - LOGIN_FAILURES_KEPT)
        .limit(BATCH),
    ),
)

const sweepRings = deleting((db, now) =>
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
    ),
)

const sweepBuckets = deleting((db, now) =>
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
    ),
)

/** Deletes the rows of imports whose process ended before it could delete them. */
const sweepStagedResources = deleting((db, now) =>
  db.deleteFrom('staged_resources').where((the) =>
    the(
      the.refTuple('import_id', 'type', 'external_id'),
      'in',
      the
        .selectFrom('staged_resources')
        .select(['import_id', 'type', 'external_id'])
        .where('staged_at', '<', now - STAGED_KEPT)
        .limit(BATCH)
        .$asTuple('import_id', 'type', 'external_id'),
    ),
  ),
)

const sweepStagedExpenses = deleting((db, now) =>
  db.deleteFrom('staged_expenses').where((the) =>
    the(
      the.refTuple('import_id', 'external_id'),
      'in',
      the
        .selectFrom('staged_expenses')
        .select(['import_id', 'external_id'])
        .where('staged_at', '<', now - STAGED_KEPT)
        .limit(BATCH)
        .$asTuple('import_id', 'external_id'),
    ),
  ),
)

/** Keeps the newest change, so that a process that polls after a long time notices the missing ones. */
const sweepChanges = deleting((db, now) =>
  db.deleteFrom('changes').where('seq', 'in', (the) =>
    the
      .selectFrom('changes')
      .select('seq')
      .where('at', '<', now - CHANGES_KEPT)
      .where('seq', '<', ({ selectFrom }) => selectFrom('changes').select(({ fn }) => fn.max('seq').as('newest')))
      .limit(BATCH),
  ),
)

/** Confirmations, service tokens and removed devices are never deleted: they are the record of what happened. */
const steps: readonly Step[] = [
  sweepChallengesWithoutUser,
  sweepChallengesOfUsers,
  sweepOneTimeCodes,
  sweepExpiredSessions,
  sweepEndedSessions,
  sweepLoginFailures,
  sweepLoginCeilings,
  sweepRings,
  sweepBuckets,
  sweepStagedResources,
  sweepStagedExpenses,
  sweepChanges,
]

/** Deletes the rows that no rule needs any more, in independent steps. Returns the number of deleted rows. */
export const sweep = async (database: Database, now: Instant): Promise<number> => {
  let swept = 0
  for (const step of steps) {
    for (;;) {
      const deleted = await step(database, now)
      swept += deleted
      if (deleted < BATCH) break
    }
  }
  return swept
}
