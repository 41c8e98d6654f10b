import type { Clock, Instant } from '../shared/clock.ts'

/** Where a fake clock stands when nothing else is said: a Monday morning, 2026-01-05T09:00:00Z. */
export const clockStart: Instant = Date.UTC(2026, 0, 5, 9)

/** A clock that stands still until it is told otherwise. */
export interface FakeClock extends Clock {
  /** Moves by this many milliseconds; a negative number steps back, as a corrected machine clock does. */
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
