import { type Instant, toIsoTimestamp } from '@countersign/core'

/** Returns an instant as an ISO 8601 timestamp; `null` for `null`. */
export const isoTimestampOrNull = (instant: Instant | null): string | null => (instant === null ? null : toIsoTimestamp(instant))
