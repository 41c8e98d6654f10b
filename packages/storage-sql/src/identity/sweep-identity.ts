import { recordChanges } from '../shared/record-changes.ts'
import { deleting, SWEEP_BATCH, type SweepStep } from '../shared/sweep.ts'
import { sweepDayOf } from './sessions/sweep-day.ts'

const HOUR = 3_600_000
/** Sessions outlive their refresh token for the last access token, and their end to recognise tokens that are used again. */
const SESSION_KEPT = 24 * HOUR
/** Used and expired challenges of users are kept, so that they can be told from unknown ones. */
const USERS_CHALLENGES_KEPT = 24 * HOUR
const LOGIN_FAILURES_KEPT = 24 * HOUR
/** Idle rate limits are kept a while, so that the sweep never deletes one that a request has just used. */
const IDLE_LIMITS_KEPT = HOUR

const sweepChallengesWithoutUser = deleting((db, now) =>
  db
    .deleteFrom('challenges')
    .where('expires_at', '<=', now)
    .where('user_id', 'is', null)
    .where('id', 'in', (the) =>
      the.selectFrom('challenges').select('id').where('expires_at', '<=', now).where('user_id', 'is', null).limit(SWEEP_BATCH),
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
        .limit(SWEEP_BATCH),
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
          .limit(SWEEP_BATCH)
          .$asTuple('user_id', 'kind'),
      ),
    ),
)

/** These sessions may be in a session cache, so their deletion is reported. */
const sweepExpiredSessions: SweepStep = (database, now) =>
  database.transaction(async (tx) => {
    const before = now - SESSION_KEPT
    const rows = await tx.write((db) =>
      db
        .deleteFrom('sessions')
        .where('refresh_expires_at', '<', before)
        .where('id', 'in', (the) =>
          the
            .selectFrom('sessions')
            .select('id')
            .where('sweep_day', '<=', sweepDayOf(before))
            .where('refresh_expires_at', '<', before)
            .limit(SWEEP_BATCH),
        )
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
      .limit(SWEEP_BATCH),
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
        .limit(SWEEP_BATCH),
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
        .limit(SWEEP_BATCH),
    ),
)

const sweepRateLimits = deleting((db, now) =>
  db
    .deleteFrom('rate_limit_states')
    .where('idle_at', '<', now - IDLE_LIMITS_KEPT)
    .where('key', 'in', (the) =>
      the
        .selectFrom('rate_limit_states')
        .select('key')
        .where('idle_at', '<', now - IDLE_LIMITS_KEPT)
        .limit(SWEEP_BATCH),
    ),
)

/** The steps that sweep the tables of identity. Service tokens and removed devices stay: they are the record of what happened. */
export const identitySweep: readonly SweepStep[] = [
  sweepChallengesWithoutUser,
  sweepChallengesOfUsers,
  sweepOneTimeCodes,
  sweepExpiredSessions,
  sweepEndedSessions,
  sweepLoginFailures,
  sweepLoginCeilings,
  sweepRateLimits,
]
