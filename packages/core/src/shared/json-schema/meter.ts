/**
 * Counts the work of a validation, so that it ends in time whatever schema and value are. A unit stands for at most about
 * 0.2 microseconds; the table of what costs how much is in `metered.ts`.
 */
export interface Meter {
  /** @throws TooMuchWork once the allowance is used up */
  spend(units: number): void
  /** Starts a validation with a full allowance. */
  reset(): void
}

/** Within 50 ms on slow machines, with room to spare. */
export const ALLOWANCE = 100_000

export class TooMuchWork extends Error {}

export const createMeter = (): Meter => {
  let left = ALLOWANCE
  return {
    spend: (units) => {
      left -= units
      if (left < 0) throw new TooMuchWork('a validation takes too much work')
    },
    reset: () => {
      left = ALLOWANCE
    },
  }
}
