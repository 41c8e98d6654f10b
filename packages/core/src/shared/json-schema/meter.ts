/** Counts the work of a validation, so that each ends in time. A unit takes about 0.2 microseconds; see `keyword-costs.ts`. */
export interface Meter {
  /** Spends units of the allowance. @throws TooMuchWork if the allowance is used up */
  spend(units: number): void
  reset(): void
  spent(): number
}

/** The number of units that one validation may spend: well below 50 ms on slow machines. */
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
    spent: () => ALLOWANCE - left,
  }
}
