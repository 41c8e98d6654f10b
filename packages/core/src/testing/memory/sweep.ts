import { hours, type Instant } from '../../shared/clock.ts'
import { deleteWhere, type Tables } from './tables.ts'

/** The time for which finished rows are kept. For example, a reused refresh token must still find its session. */
const KEPT_FOR = hours(24)

/** Deletes expired rows. Confirmations, service tokens, removed devices and removed projects stay as a record. */
export const sweepTables = (tables: Tables, now: Instant): number => {
  const isLongPast = (instant: Instant | null): boolean => instant !== null && instant < now - KEPT_FOR
  return (
    deleteWhere(
      tables.challenges,
      ({ challenge: { userId, expiresAt } }) => isLongPast(expiresAt) || (userId === null && expiresAt <= now),
    ) +
    deleteWhere(tables.oneTimeCodes, ({ expiresAt }) => expiresAt <= now) +
    deleteWhere(tables.sessions, ({ refreshExpiresAt, endedAt }) => isLongPast(refreshExpiresAt) || isLongPast(endedAt)) +
    deleteWhere(tables.loginFailures, ({ lastAt, knownUntil }) => isLongPast(lastAt) && knownUntil <= now) +
    deleteWhere(tables.loginCeilings, isLongPast) +
    deleteWhere(tables.rateLimits, ({ idleAt }) => idleAt <= now) +
    deleteWhere(tables.stagedResources, ({ stagedAt }) => isLongPast(stagedAt)) +
    deleteWhere(tables.stagedExpenses, ({ stagedAt }) => isLongPast(stagedAt))
  )
}
