import { dividesExactly } from '../decimals.ts'
import type { BreakingChange } from './breaking-change.ts'
import type { Claim } from './claim.ts'
import { type Fact, spread } from './known.ts'
import { type Bound, countBounds, divisorsOf, numberBounds, possibleKinds } from './limits.ts'

/** Whether every number from (or down to) the bound is on the right side of what is asked. */
const keeps = (bound: Bound, asked: number, isOpen: boolean, direction: 1 | -1): boolean => {
  const distance = (bound.at - asked) * direction
  return distance > 0 || (bound.at === asked && (!isOpen || bound.isOpen))
}

export const numberFailures = ({ known, field }: Claim, { schema }: Fact): readonly BreakingChange[] => {
  const facts = spread(known)
  const kinds = possibleKinds(known, facts)
  const { from, to } = numberBounds(facts, !kinds.has('fraction'))
  const { minimum, exclusiveMinimum, maximum, exclusiveMaximum, multipleOf } = schema
  const failures: BreakingChange[] = []
  const ask = (isKept: boolean, reason: string) => isKept || failures.push({ field, reason })

  if (typeof minimum === 'number') ask(keeps(from, minimum, false, 1), `must now be at least ${minimum}`)
  if (typeof exclusiveMinimum === 'number')
    ask(keeps(from, exclusiveMinimum, true, 1), `must now be more than ${exclusiveMinimum}`)
  if (typeof maximum === 'number') ask(keeps(to, maximum, false, -1), `must now be at most ${maximum}`)
  if (typeof exclusiveMaximum === 'number')
    ask(keeps(to, exclusiveMaximum, true, -1), `must now be less than ${exclusiveMaximum}`)
  if (typeof multipleOf === 'number') {
    const divisors = kinds.has('fraction') ? divisorsOf(facts) : [1, ...divisorsOf(facts)]
    ask(
      divisors.some((divisor) => dividesExactly(multipleOf, divisor)),
      `must now be a multiple of ${multipleOf}`,
    )
  }
  return failures
}

export const stringFailures = ({ known, field }: Claim, { schema }: Fact): readonly BreakingChange[] => {
  const facts = spread(known)
  const { min, max } = countBounds(facts, 'Length')
  const { minLength, maxLength, pattern } = schema
  const failures: BreakingChange[] = []
  if (typeof minLength === 'number' && min < minLength) {
    failures.push({ field, reason: `must now have at least ${minLength} characters` })
  }
  if (typeof maxLength === 'number' && max > maxLength) {
    failures.push({ field, reason: `must now have at most ${maxLength} characters` })
  }
  if (typeof pattern === 'string' && !facts.schemas.some((fact) => fact.schema.pattern === pattern)) {
    failures.push({ field, reason: `must now match the pattern ${pattern}` })
  }
  return failures
}
