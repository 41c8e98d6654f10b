import type { Clock, Instant } from '../shared/clock.ts'

/** The default time of a fake clock: a Monday morning, 2026-01-05T09:00:00Z. */
export const clockStart: Instant = Date.UTC(2026, 0, 5, 9)

/** A clock that does not move until a test moves it. */
export interface FakeClock extends Clock {
  /** Moves the clock by this many milliseconds. A negative number moves it back. */
  advance(milliseconds: number): void
  set(instant: Instant): void
}

export const fakeClock = (start: Instant = clockStart): FakeClock => {
  let now = start
  return {
    now: () => now,
    advance: (milliseconds) => {
      now += milliseconds
    },
    set: (instant) => {
      now = instant
    },
  }
}
