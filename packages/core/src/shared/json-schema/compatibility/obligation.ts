import type { Assumptions } from './assumptions.ts'
import type { BreakingChange } from './breaking-change.ts'
import type { LocatedSchema } from './document.ts'
import type { Induction } from './induction.ts'
import type { StepBudget } from './step-budget.ts'

/** A proof obligation: the goal must accept every value that meets the assumptions. */
export interface Obligation {
  readonly prover: Prover
  readonly budget: StepBudget
  readonly induction: Induction
  readonly assumptions: Assumptions
  readonly goal: LocatedSchema
  /** The path to the value, as people read it: `deployment.type`. */
  readonly field: string
  /** The depth of the value: 0 for the whole value, 1 for its members and items. */
  readonly level: number
}

/** The prover, as the rules of keywords use it. An obligation carries the prover, because rules and prover call each other. */
export interface Prover {
  /**
   * Tries to prove an obligation. Returns an empty list where the proof succeeds, else the breaking changes that stand in its
   * way. A listed change may be harmless: everything that cannot be proven counts as breaking.
   */
  breakingChanges(obligation: Obligation): readonly BreakingChange[]
  /** Returns whether no value meets the assumptions; `false` if that cannot be proven. */
  isContradictory(obligation: Omit<Obligation, 'goal'>): boolean
  /** Returns whether the goal refuses every value that meets the assumptions; `false` if that cannot be proven. */
  refusesAll(obligation: Obligation): boolean
}
