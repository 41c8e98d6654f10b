import type { Schema } from '../schema.ts'
import type { BreakingChange } from './breaking-change.ts'
import type { Claim } from './claim.ts'
import { arrayFailures } from './goal-arrays.ts'
import { objectFailures } from './goal-objects.ts'
import { numberFailures, stringFailures } from './goal-scalars.ts'
import { alsoAccepting, alsoRefusing, type Fact, type Known, spread } from './known.ts'
import { kindsOf, possibleKinds } from './limits.ts'

const typeFailures = ({ known, field }: Claim, { schema }: Fact): readonly BreakingChange[] => {
  const allowed = kindsOf(schema.type)
  const isKept = [...possibleKinds(known, spread(known))].every((kind) => allowed.has(kind))
  return isKept ? [] : [{ field, reason: `must now be of type ${[schema.type].flat().join(' or ')}` }]
}

const valueFailures = ({ field }: Claim, { schema }: Fact): readonly BreakingChange[] =>
  Object.hasOwn(schema, 'const') || Array.isArray(schema.enum) ? [{ field, reason: 'now takes only some values' }] : []

const unproven = (field: string, keyword: string): readonly BreakingChange[] => [
  { field, reason: `cannot be shown compatible with the new ${keyword}` },
]

/** The keywords that apply other schemas to the same value. */
const compositionFailures = (claim: Claim, { document, schema }: Fact): readonly BreakingChange[] => {
  const { prover, known, field } = claim
  const here = (inner: unknown) => ({ document, schema: inner as Schema })
  const failuresAt = (inner: unknown, of: Known = known) => prover.failuresOf({ ...claim, known: of, goal: here(inner) })
  const isProven = (inner: unknown) => failuresAt(inner).length === 0
  const failures: BreakingChange[] = []

  if (Array.isArray(schema.allOf)) failures.push(...schema.allOf.flatMap((part) => failuresAt(part)))
  if (Array.isArray(schema.anyOf) && !schema.anyOf.some(isProven)) failures.push(...unproven(field, 'anyOf'))
  if (Array.isArray(schema.oneOf)) {
    const { oneOf } = schema
    const isOnly = (index: number) =>
      oneOf.every((other, place) => place === index || prover.isExcluded({ ...claim, goal: here(other) }))
    if (!oneOf.some((option, index) => isProven(option) && isOnly(index))) failures.push(...unproven(field, 'oneOf'))
  }
  if (schema.not !== undefined && !prover.isExcluded({ ...claim, goal: here(schema.not) }))
    failures.push(...unproven(field, 'not'))
  if (schema.if !== undefined) {
    const condition = here(schema.if)
    if (schema.then !== undefined) failures.push(...failuresAt(schema.then, alsoAccepting(known, [condition])))
    if (schema.else !== undefined) failures.push(...failuresAt(schema.else, alsoRefusing(known, [condition])))
  }
  for (const [name, dependency] of Object.entries(schema.dependencies ?? {})) {
    const present = alsoAccepting(known, [here({ type: 'object', required: [name] })])
    if (prover.isContradiction({ ...claim, known: present })) continue
    const goal: unknown = Array.isArray(dependency) ? { required: dependency } : dependency
    // The dependency asks nothing of what is no object.
    failures.push(...failuresAt(goal, present))
  }
  return failures
}

/** What keeps a schema object, keyword by keyword, from accepting every value that is like what is known. */
export const failuresOfGoal = (claim: Claim, goal: Fact): readonly BreakingChange[] => {
  const kinds = possibleKinds(claim.known, spread(claim.known))
  return [
    ...typeFailures(claim, goal),
    ...valueFailures(claim, goal),
    ...(kinds.has('integer') || kinds.has('fraction') ? numberFailures(claim, goal) : []),
    ...(kinds.has('string') ? stringFailures(claim, goal) : []),
    ...(kinds.has('array') ? arrayFailures(claim, goal) : []),
    ...(kinds.has('object') ? objectFailures(claim, goal) : []),
    ...compositionFailures(claim, goal),
  ]
}
