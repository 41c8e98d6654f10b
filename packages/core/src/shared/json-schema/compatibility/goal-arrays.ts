import type { Schema } from '../schema.ts'
import type { BreakingChange } from './breaking-change.ts'
import type { Claim } from './claim.ts'
import { goalItem, itemFacts, tupleLength } from './inside.ts'
import { alsoAccepting, type Fact, type Facts, type Known, nothingKnown, spread } from './known.ts'
import { countBounds } from './limits.ts'

const itemsKnown = (facts: Facts, index: number): Known => alsoAccepting(nothingKnown, itemFacts(facts, index))

const itemFailures = (claim: Claim, goal: Fact, facts: Facts, max: number): readonly BreakingChange[] => {
  if (goal.schema.items === undefined) return []
  const rest = tupleLength([...facts.schemas, goal])
  return Array.from({ length: rest + 1 }, (_, index) => index)
    .filter((index) => index < max)
    .flatMap((index) =>
      claim.prover.failuresOf({
        ...claim,
        known: itemsKnown(facts, index),
        goal: goalItem(goal, index),
        field: `${claim.field}[${index === rest ? '' : index}]`,
        level: claim.level + 1,
      }),
    )
}

/** Some item is known to be as a schema asks, or there is an item and all are. */
const containsWhatIsAsked = (claim: Claim, { document, schema }: Fact, facts: Facts, min: number): boolean => {
  const goal = { document, schema: schema.contains as Schema }
  const isShown = (known: Known) => claim.prover.failuresOf({ ...claim, known, goal, level: claim.level + 1 }).length === 0
  const contained = facts.schemas.filter((fact) => fact.schema.contains !== undefined)
  return (
    contained.some((fact) =>
      isShown(alsoAccepting(nothingKnown, [{ document: fact.document, schema: fact.schema.contains as Schema }])),
    ) ||
    Array.from({ length: Math.min(min, tupleLength(facts.schemas) + 1) }).some((_, index) => isShown(itemsKnown(facts, index)))
  )
}

export const arrayFailures = (claim: Claim, goal: Fact): readonly BreakingChange[] => {
  const { field } = claim
  const facts = spread(claim.known)
  const { min, max } = countBounds(facts, 'Items')
  const { minItems, maxItems, uniqueItems, contains } = goal.schema
  const failures: BreakingChange[] = []
  if (typeof minItems === 'number' && min < minItems) failures.push({ field, reason: `must now have at least ${minItems} items` })
  if (typeof maxItems === 'number' && max > maxItems) failures.push({ field, reason: `must now have at most ${maxItems} items` })
  if (uniqueItems === true && max > 1 && !facts.schemas.some(({ schema }) => schema.uniqueItems === true)) {
    failures.push({ field, reason: 'must now not have the same item twice' })
  }
  if (contains !== undefined && !containsWhatIsAsked(claim, goal, facts, min)) {
    failures.push({ field, reason: 'cannot be shown compatible with the new contains' })
  }
  return [...failures, ...itemFailures(claim, goal, facts, max)]
}
