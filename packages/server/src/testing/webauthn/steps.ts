import { expect } from 'vitest'

/** One step of a ceremony in WebAuthn Level 3: what violates it, or why nothing that is sent can. */
export type Step<Violation> = {
  /** Its number in the section. */
  readonly step: number
  /** What it says, in a few words of our own. */
  readonly says: string
} & ({ readonly refuses: readonly Violation[] } | { readonly because: string })

/** Holds a list to naming each step of its section once, in their order, and leaving none without a case or a reason. */
export const expectNoGaps = (steps: readonly Step<unknown>[], last: number): void => {
  expect(steps.map(({ step }) => step)).toEqual(Array.from({ length: last }, (_, index) => index + 1))
  for (const step of steps) {
    expect('refuses' in step ? step.refuses.length : step.because.length, `step ${step.step}`).toBeGreaterThan(0)
  }
}

/** One case for each violation. */
export const stepsToCases = <Violation>(steps: readonly Step<Violation>[]) =>
  steps.flatMap((step) =>
    'refuses' in step ? step.refuses.map((violation) => ({ step: step.step, says: step.says, violation })) : [],
  )
