import type { BreakingChange } from '../breaking-change.ts'
import type { Fact } from '../fact.ts'
import type { Obligation } from '../obligation.ts'
import { possibleKinds } from '../possible-kinds.ts'
import { checkArrays } from './arrays.ts'
import { checkCombinators } from './combinators.ts'
import { checkNumbers } from './numbers.ts'
import { checkObjects } from './objects.ts'
import { checkStrings } from './strings.ts'
import { checkListedValues, checkType } from './type-and-values.ts'

/** Applies the rule of every keyword of the goal. Returns a breaking change for each keyword that is not proven. */
export const checkKeywords = (obligation: Obligation, goal: Fact): readonly BreakingChange[] => {
  const kinds = possibleKinds(obligation.assumptions)
  return [
    ...checkType(obligation, goal),
    ...checkListedValues(obligation, goal),
    ...(kinds.has('integer') || kinds.has('fraction') ? checkNumbers(obligation, goal) : []),
    ...(kinds.has('string') ? checkStrings(obligation, goal) : []),
    ...(kinds.has('array') ? checkArrays(obligation, goal) : []),
    ...(kinds.has('object') ? checkObjects(obligation, goal) : []),
    ...checkCombinators(obligation, goal),
  ]
}
