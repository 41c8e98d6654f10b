/** The comparison of two schemas has taken more steps than the budget allows. */
export class TooManySteps extends Error {}

const MOST_STEPS = 10_000

/** The steps that a proof may still take. */
export interface StepBudget {
  /** Takes one step. @throws TooManySteps */
  take(): void
}

export const createStepBudget = (): StepBudget => {
  let left = MOST_STEPS
  return {
    take: () => {
      left -= 1
      if (left < 0) throw new TooManySteps('the schemas are too complex to compare')
    },
  }
}
