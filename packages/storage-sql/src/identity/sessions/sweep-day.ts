import type { Instant } from '@countersign/core/storage'

const DAY = 86_400_000

/** Expired and ended sessions are kept for a day, so that a token that is used again is still recognised. */
export const SESSION_KEPT = DAY

/**
 * Returns the day of an expiry, counted from 1970. The sweep finds expired sessions by an index on this day. An index on the
 * expiry itself would change with each refresh; PostgreSQL would then write every index entry of the session again.
 */
export const sweepDayOf = (expiresAt: Instant): number => Math.floor(expiresAt / DAY)
