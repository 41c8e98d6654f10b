import type { Schema } from '../../schema.ts'
import { type Assumptions, assumeAcceptedBy, noAssumptions } from '../assumptions.ts'
import { countBounds } from '../bounds.ts'
import type { BreakingChange } from '../breaking-change.ts'
import type { Fact } from '../fact.ts'
import { type Facts, factsOf } from '../facts.ts'
import { itemFacts, schemaOfItem, tupleLength } from '../item-facts.ts'
import type { Obligation } from '../obligation.ts'

const assumptionsOfItem = (facts: Facts, index: number): Assumptions => assumeAcceptedBy(noAssumptions, itemFacts(facts, index))

/** Proves the items one by one, up to the end of the longest tuple. One proof stands for all items after the tuple. */
const checkItems = (obligation: Obligation, goal: Fact, facts: Facts, max: number): readonly BreakingChange[] => {
  if (goal.schema.items === undefined) return []
  const rest = tupleLength([...facts.schemas, goal])
  return Array.from({ length: rest + 1 }, (_, index) => index)
    .filter((index) => index < max)
    .flatMap((index) =>
      obligation.prover.breakingChanges({
        ...obligation,
        assumptions: assumptionsOfItem(facts, index),
        goal: schemaOfItem(goal, index),
        field: `${obligation.field}[${index === rest ? '' : index}]`,
        level: obligation.level + 1,
      }),
    )
}

/** Returns whether some item provably obeys `contains`: an item that an old `contains` promises, or one that must be there. */
const isContainsProven = (obligation: Obligation, { document, schema }: Fact, facts: Facts, min: number): boolean => {
  const goal = { document, schema: schema.contains as Schema }
  const isProvenOf = (assumptions: Assumptions) =>
    obligation.prover.breakingChanges({ ...obligation, assumptions, goal, level: obligation.level + 1 }).length === 0
  const contained = facts.schemas.filter((fact) => fact.schema.contains !== undefined)
  return (
    contained.some((fact) =>
      isProvenOf(assumeAcceptedBy(noAssumptions, [{ document: fact.document, schema: fact.schema.contains as Schema }])),
    ) ||
    Array.from({ length: Math.min(min, tupleLength(facts.schemas) + 1) }).some((_, index) =>
      isProvenOf(assumptionsOfItem(facts, index)),
    )
  )
}

/** Checks the keywords of arrays. */
export const checkArrays = (obligation: Obligation, goal: Fact): readonly BreakingChange[] => {
  const { field } = obligation
  const facts = factsOf(obligation.assumptions)
  const { min, max } = countBounds(facts, 'Items')
  const { minItems, maxItems, uniqueItems, contains } = goal.schema
  const changes: BreakingChange[] = []
  if (typeof minItems === 'number' && min < minItems) changes.push({ field, reason: `must now have at least ${minItems} items` })
  if (typeof maxItems === 'number' && max > maxItems) changes.push({ field, reason: `must now have at most ${maxItems} items` })
  if (uniqueItems === true && max > 1 && !facts.schemas.some(({ schema }) => schema.uniqueItems === true)) {
    changes.push({ field, reason: 'must now not have the same item twice' })
  }
  if (contains !== undefined && !isContainsProven(obligation, goal, facts, min)) {
    changes.push({ field, reason: 'cannot be shown compatible with the new contains' })
  }
  return [...changes, ...checkItems(obligation, goal, facts, max)]
}
