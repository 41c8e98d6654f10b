/** Milliseconds since 1970-01-01T00:00:00Z. */
export type Instant = number

/** The port for the current time. Use cases never ask the machine, so tests can move time. */
export interface Clock {
  now(): Instant
}

/** The clock of the machine. */
export const systemClock: Clock = { now: () => Date.now() }

/** Returns a duration in milliseconds. */
export const seconds = (count: number): number => count * 1000
export const minutes = (count: number): number => seconds(60) * count
export const hours = (count: number): number => minutes(60) * count
export const days = (count: number): number => hours(24) * count

/** Returns an instant as an ISO 8601 timestamp in UTC with milliseconds. */
export const toIsoTimestamp = (instant: Instant): string => new Date(instant).toISOString()
