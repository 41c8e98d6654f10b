import type { CheckedSchema } from '../check-schema.ts'
import type { BreakingChange } from './breaking-change.ts'
import { createDocument } from './document.ts'
import { alsoAccepting, nothingKnown } from './known.ts'
import { prover } from './prove.ts'
import { createSteps, TooManySteps } from './steps.ts'

/** The field that stands for the whole value. */
const WHOLE = 'attributes'

/**
 * What the new schema would refuse and the one before accepts; nothing only where it is proven that there is no such
 * value. What cannot be shown either way is listed as well, and its reason says so.
 */
export const breakingChanges = (before: CheckedSchema, after: CheckedSchema): readonly BreakingChange[] => {
  const known = alsoAccepting(nothingKnown, [{ document: createDocument(before), schema: before.schema }])
  const goal = { document: createDocument(after), schema: after.schema }
  try {
    const failures = prover.failuresOf({ prover, steps: createSteps(), known, goal, field: '', level: 0 })
    return failures.map(({ field, reason }) => ({ field: field === '' ? WHOLE : field, reason }))
  } catch (error) {
    if (error instanceof TooManySteps || error instanceof RangeError) {
      return [{ field: WHOLE, reason: 'cannot be shown compatible: the schemas are too complex to compare' }]
    }
    throw error
  }
}
