/** Milliseconds since 1970-01-01T00:00:00Z. */
export type Instant = number

/** Where time comes from. Rules never ask the machine, so tests move time instead of sleeping. */
export interface Clock {
  now(): Instant
}

/** The clock of the machine. */
export const systemClock: Clock = { now: () => Date.now() }

/** A length of time in milliseconds. */
export const seconds = (count: number): number => count * 1000
export const minutes = (count: number): number => seconds(60) * count
export const hours = (count: number): number => minutes(60) * count
export const days = (count: number): number => hours(24) * count

/** An instant as the wire writes it: ISO 8601, UTC, milliseconds. */
export const toIsoTimestamp = (instant: Instant): string => new Date(instant).toISOString()
