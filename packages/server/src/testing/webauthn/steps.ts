import { expect } from 'vitest'

/** A step of a ceremony in WebAuthn Level 3: its violations, or the reason why no request can violate it. */
export type Step<Violation> = {
  /** The number of the step in its section. */
  readonly step: number
  /** A short summary of the step. */
  readonly says: string
} & ({ readonly refuses: readonly Violation[] } | { readonly because: string })

/** Expects a list to name each step of its section once and in order, with violations or a reason. */
export const expectNoGaps = (steps: readonly Step<unknown>[], last: number): void => {
  expect(steps.map(({ step }) => step)).toEqual(Array.from({ length: last }, (_, index) => index + 1))
  for (const step of steps) {
    expect('refuses' in step ? step.refuses.length : step.because.length, `step ${step.step}`).toBeGreaterThan(0)
  }
}

/** Returns one test case for each violation. */
export const stepsToCases = <Violation>(steps: readonly Step<Violation>[]) =>
  steps.flatMap((step) =>
    'refuses' in step ? step.refuses.map((violation) => ({ step: step.step, says: step.says, violation })) : [],
  )
