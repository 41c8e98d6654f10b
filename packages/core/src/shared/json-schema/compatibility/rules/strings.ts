import { countBounds } from '../bounds.ts'
import type { BreakingChange } from '../breaking-change.ts'
import type { Fact } from '../fact.ts'
import { factsOf } from '../facts.ts'
import type { Obligation } from '../obligation.ts'

/** Checks the keywords of strings. A pattern is proven only when an accepting schema has the same pattern. */
export const checkStrings = ({ assumptions, field }: Obligation, { schema }: Fact): readonly BreakingChange[] => {
  const facts = factsOf(assumptions)
  const { min, max } = countBounds(facts, 'Length')
  const { minLength, maxLength, pattern } = schema
  const changes: BreakingChange[] = []
  if (typeof minLength === 'number' && min < minLength) {
    changes.push({ field, reason: `must now have at least ${minLength} characters` })
  }
  if (typeof maxLength === 'number' && max > maxLength) {
    changes.push({ field, reason: `must now have at most ${maxLength} characters` })
  }
  if (typeof pattern === 'string' && !facts.schemas.some((fact) => fact.schema.pattern === pattern)) {
    changes.push({ field, reason: `must now match the pattern ${pattern}` })
  }
  return changes
}
