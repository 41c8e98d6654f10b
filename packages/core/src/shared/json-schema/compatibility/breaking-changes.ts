import type { CheckedSchema } from '../check-schema.ts'
import { assumeAcceptedBy, noAssumptions } from './assumptions.ts'
import type { BreakingChange } from './breaking-change.ts'
import { createDocument } from './document.ts'
import { createInduction } from './induction.ts'
import { prover } from './prover.ts'
import { createStepBudget, TooManySteps } from './step-budget.ts'

/** The name of the whole value in the result. */
const WHOLE = 'attributes'

/**
 * Compares two versions of a schema. Returns an empty list only when the new version provably accepts every value that the
 * old version accepts. Else the list names the changes, and the parts that could not be proven. See README.md.
 */
export const breakingChanges = (before: CheckedSchema, after: CheckedSchema): readonly BreakingChange[] => {
  const assumptions = assumeAcceptedBy(noAssumptions, [{ document: createDocument(before), schema: before.schema }])
  const goal = { document: createDocument(after), schema: after.schema }
  const [budget, induction] = [createStepBudget(), createInduction()]
  try {
    const changes = prover.breakingChanges({ prover, budget, induction, assumptions, goal, field: '', level: 0 })
    return changes.map(({ field, reason }) => ({ field: field === '' ? WHOLE : field, reason }))
  } catch (error) {
    // Schemas nested deep enough use up the stack, which is a RangeError.
    if (error instanceof TooManySteps || error instanceof RangeError) {
      return [{ field: WHOLE, reason: 'cannot be shown compatible: the schemas are too complex to compare' }]
    }
    throw error
  }
}
