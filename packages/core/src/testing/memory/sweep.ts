import { hours, type Instant } from '../../shared/clock.ts'
import { deleteWhere, type Tables } from './tables.ts'

/** How long what is over is still kept: a reused refresh token must find its session, a wait its failures, an import its lines,
 * a used challenge its user. */
const KEPT_FOR = hours(24)

/** Confirmations, service tokens, removed devices and removed projects are the record of what happened, and stay. */
export const sweepTables = (tables: Tables, now: Instant): number => {
  const isLongPast = (instant: Instant | null): boolean => instant !== null && instant < now - KEPT_FOR
  return (
    deleteWhere(
      tables.challenges,
      ({ challenge: { userId, expiresAt } }) => isLongPast(expiresAt) || (userId === null && expiresAt <= now),
    ) +
    deleteWhere(tables.sessions, ({ refreshExpiresAt, endedAt }) => isLongPast(refreshExpiresAt) || isLongPast(endedAt)) +
    deleteWhere(tables.loginFailures, ({ lastAt, knownUntil }) => isLongPast(lastAt) && knownUntil <= now) +
    deleteWhere(tables.loginCeilings, isLongPast) +
    deleteWhere(tables.rateLimits, ({ idleAt }) => idleAt <= now) +
    deleteWhere(tables.stagedResources, ({ stagedAt }) => isLongPast(stagedAt)) +
    deleteWhere(tables.stagedExpenses, ({ stagedAt }) => isLongPast(stagedAt))
  )
}
