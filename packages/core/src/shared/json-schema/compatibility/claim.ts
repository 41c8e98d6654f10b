import type { BreakingChange } from './breaking-change.ts'
import type { Located } from './document.ts'
import type { Known } from './known.ts'
import type { Steps } from './steps.ts'

/** What a proof is about and how far it has come. */
export interface Claim {
  readonly prover: Prover
  readonly steps: Steps
  readonly known: Known
  readonly goal: Located
  /** The way to the value. */
  readonly field: string
  /** How far inside the whole the value lies. */
  readonly level: number
}

/** What keywords ask of the schemas within them: proofs of their own. A part of the claim, as the two need each other. */
export interface Prover {
  /**
   * What keeps the goal from accepting every value that is like what is known; nothing where it is proven that it does. A
   * failure may be one of the proof only: what cannot be shown counts as broken.
   */
  failuresOf(claim: Claim): readonly BreakingChange[]
  /** Whether no value is like what is known; `false` where that cannot be shown. */
  isContradiction(claim: Omit<Claim, 'goal'>): boolean
  /** Whether no value that is like what is known is accepted by the goal; `false` where that cannot be shown. */
  isExcluded(claim: Claim): boolean
}
