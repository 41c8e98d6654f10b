/** Milliseconds since 1970-01-01T00:00:00Z. */
export type Instant = number

/** A duration in milliseconds. `& {}` keeps this name in an editor, which shows an alias of `number` alone as `number`. */
export type Milliseconds = number & {}

/** The port for the current time. Use cases never read the machine's clock, so tests can move time. */
export interface Clock {
  now(): Instant
  /** Returns by how much `now` is ahead of the machine's clock, if that is known. Missing on a clock that is not corrected. */
  offset?(): Milliseconds | undefined
}

/** The clock of the machine. */
export const systemClock: Clock = { now: () => Date.now() }

/** Returns an instant of `clock` as the machine's clock shows it, as other parties compare tokens and receipts. See ADR 0027. */
export const realTime = (clock: Clock, instant: Instant): Instant => instant - (clock.offset?.() ?? 0)

/** Returns the time between two instants. Every age uses it: after a clock was set back, `now - past` is negative. */
export const timeBetween = (one: Instant, other: Instant): Milliseconds => Math.abs(one - other)

export const seconds = (count: number): Milliseconds => count * 1000
export const minutes = (count: number): Milliseconds => seconds(60) * count
export const hours = (count: number): Milliseconds => minutes(60) * count
export const days = (count: number): Milliseconds => hours(24) * count

/** Returns an instant as an ISO 8601 timestamp in UTC with milliseconds. */
export const toIsoTimestamp = (instant: Instant): string => new Date(instant).toISOString()
