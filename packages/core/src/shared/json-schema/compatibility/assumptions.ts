import type { LocatedSchema } from './document.ts'
import { type Kind, kinds } from './value-kinds.ts'

/** One case of a case split: the schemas that accept the value in this case, and those that refuse the value. */
export interface Case {
  readonly acceptedBy: readonly LocatedSchema[]
  readonly refusedBy: readonly LocatedSchema[]
}

/** Cases of which at least one holds for the value. A proof must succeed in each of them. */
export interface CaseSplit {
  /** Identifies the split, so that a proof makes each split once. */
  readonly on: object
  readonly cases: readonly Case[]
}

/** The assumptions of a proof about one value: its possible kinds, the schemas that accept it, the schemas that refuse it. */
export interface Assumptions {
  readonly kinds: ReadonlySet<Kind>
  readonly acceptedBy: readonly (LocatedSchema | CaseSplit)[]
  readonly refusedBy: readonly LocatedSchema[]
  /** The case splits that the proof has made already. */
  readonly splits: ReadonlySet<object>
}

/** Assumptions that hold for every value. */
export const noAssumptions: Assumptions = { kinds: new Set(kinds), acceptedBy: [], refusedBy: [], splits: new Set() }

export const isCaseSplit = (assumption: LocatedSchema | CaseSplit): assumption is CaseSplit => 'cases' in assumption

export const assumeAcceptedBy = (assumptions: Assumptions, acceptedBy: readonly (LocatedSchema | CaseSplit)[]): Assumptions => ({
  ...assumptions,
  acceptedBy: [...assumptions.acceptedBy, ...acceptedBy],
})

export const assumeRefusedBy = (assumptions: Assumptions, refusedBy: readonly LocatedSchema[]): Assumptions => ({
  ...assumptions,
  refusedBy: [...assumptions.refusedBy, ...refusedBy],
})

export const assumeKind = (assumptions: Assumptions, kind: Kind): Assumptions => ({ ...assumptions, kinds: new Set([kind]) })

export const markAsSplit = (assumptions: Assumptions, on: object): Assumptions => ({
  ...assumptions,
  splits: new Set([...assumptions.splits, on]),
})

/** Adds the assumptions of one case, and marks the split as made. */
export const assumeCase = (assumptions: Assumptions, split: CaseSplit, { acceptedBy, refusedBy }: Case): Assumptions =>
  markAsSplit(assumeRefusedBy(assumeAcceptedBy(assumptions, acceptedBy), refusedBy), split.on)
