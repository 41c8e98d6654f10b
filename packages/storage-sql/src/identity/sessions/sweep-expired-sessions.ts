import type { Instant } from '@countersign/core/storage'
import type { ExpressionBuilder } from 'kysely'
import { recordChanges } from '../../shared/record-changes.ts'
import { countRows, SWEEP_BATCH, type SweepStep } from '../../shared/sweep.ts'
import type { Tables } from '../../tables/index.ts'

const isExpired = (the: ExpressionBuilder<Tables, 'sessions'>, now: Instant) => {
  const before = now - SESSION_KEPT
  return the.and([the('sweep_day', '<=', sweepDayOf(before)), the('refresh_expires_at', '<', before)])
}

/**
 * Deletes sessions that can no longer be refreshed. Reports those that may be in a session cache, while an access token is valid;
 * reporting all deletions would make every process clear its cache.
 */
export const sweepExpiredSessions: SweepStep = {
  kind: 'sessions',
  delete: (database, { now, limits: { liveTokensSince = Number.NEGATIVE_INFINITY } }) =>
    database.transaction(async (tx) => {
      const rows = await tx.write((db) =>
        db
          .deleteFrom('sessions')
          .where('refresh_expires_at', '<', now - SESSION_KEPT)
          .where('id', 'in', (the) =>
            the
              .selectFrom('sessions')
              .select('id')
              .where((session) => isExpired(session, now))
              .limit(SWEEP_BATCH),
          )
          .returning(['id', 'ended_at', 'rotated_at']),
      )
      const live = rows.filter((row) => row.ended_at === null && row.rotated_at >= liveTokensSince)
      await recordChanges(
        tx,
        live.map(({ id }) => ({ kind: 'session', subject: id })),
        now,
      )
      return rows.length
    }),
  count: (database, { now }) => countRows(database, 'sessions', isExpired, now),
}

const DAY = 86_400_000

/** Expired and ended sessions are kept for a day, so that a token that is used again is still recognised. */
export const SESSION_KEPT = DAY

/**
 * Returns the day of an expiry, counted from 1970, for the index of the sweep. An index on the expiry itself would change with
 * each refresh, and PostgreSQL would rewrite every index entry.
 */
export const sweepDayOf = (expiresAt: Instant): number => Math.floor(expiresAt / DAY)
