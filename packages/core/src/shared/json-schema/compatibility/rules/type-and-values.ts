import type { BreakingChange } from '../breaking-change.ts'
import type { Fact } from '../fact.ts'
import type { Obligation } from '../obligation.ts'
import { possibleKinds } from '../possible-kinds.ts'
import { kindsOf } from '../value-kinds.ts'

/** Checks `type`. */
export const checkType = ({ assumptions, field }: Obligation, { schema }: Fact): readonly BreakingChange[] => {
  const allowed = kindsOf(schema.type)
  const isProven = [...possibleKinds(assumptions)].every((kind) => allowed.has(kind))
  return isProven ? [] : [{ field, reason: `must now be of type ${[schema.type].flat().join(' or ')}` }]
}

/** Checks `enum` and `const`. The prover has already tried every possible value where the values can be listed. */
export const checkListedValues = ({ field }: Obligation, { schema }: Fact): readonly BreakingChange[] =>
  Object.hasOwn(schema, 'const') || Array.isArray(schema.enum) ? [{ field, reason: 'now takes only some values' }] : []
