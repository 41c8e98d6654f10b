import { dividesExactly } from '../../decimals.ts'
import { type Bound, divisorsOf, numberBounds } from '../bounds.ts'
import type { BreakingChange } from '../breaking-change.ts'
import type { Fact } from '../fact.ts'
import { factsOf } from '../facts.ts'
import type { Obligation } from '../obligation.ts'
import { possibleKinds } from '../possible-kinds.ts'

/**
 * Returns whether a known bound implies the limit of the goal.
 *
 * @param direction 1 for lower bounds, -1 for upper bounds.
 */
const implies = (known: Bound, limit: number, isExclusive: boolean, direction: 1 | -1): boolean => {
  const distance = (known.at - limit) * direction
  return distance > 0 || (known.at === limit && (!isExclusive || known.isExclusive))
}

/** Checks the keywords of numbers. */
export const checkNumbers = ({ assumptions, field }: Obligation, { schema }: Fact): readonly BreakingChange[] => {
  const facts = factsOf(assumptions)
  const kinds = possibleKinds(assumptions)
  const { from, to } = numberBounds(facts, !kinds.has('fraction'))
  const { minimum, exclusiveMinimum, maximum, exclusiveMaximum, multipleOf } = schema
  const changes: BreakingChange[] = []
  const check = (isProven: boolean, reason: string) => isProven || changes.push({ field, reason })

  if (typeof minimum === 'number') check(implies(from, minimum, false, 1), `must now be at least ${minimum}`)
  if (typeof exclusiveMinimum === 'number')
    check(implies(from, exclusiveMinimum, true, 1), `must now be more than ${exclusiveMinimum}`)
  if (typeof maximum === 'number') check(implies(to, maximum, false, -1), `must now be at most ${maximum}`)
  if (typeof exclusiveMaximum === 'number')
    check(implies(to, exclusiveMaximum, true, -1), `must now be less than ${exclusiveMaximum}`)
  if (typeof multipleOf === 'number') {
    const divisors = kinds.has('fraction') ? divisorsOf(facts) : [1, ...divisorsOf(facts)]
    check(
      divisors.some((divisor) => dividesExactly(multipleOf, divisor)),
      `must now be a multiple of ${multipleOf}`,
    )
  }
  return changes
}
