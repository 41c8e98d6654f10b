import type { Schema } from '../../schema.ts'
import { type Assumptions, assumeAcceptedBy, assumeRefusedBy } from '../assumptions.ts'
import type { BreakingChange } from '../breaking-change.ts'
import type { Fact } from '../fact.ts'
import type { Obligation } from '../obligation.ts'

const unproven = (field: string, keyword: string): readonly BreakingChange[] => [
  { field, reason: `cannot be shown compatible with the new ${keyword}` },
]

/** Checks the keywords that apply other schemas to the same value. */
export const checkCombinators = (obligation: Obligation, { document, schema }: Fact): readonly BreakingChange[] => {
  const { prover, assumptions, field } = obligation
  const here = (inner: unknown) => ({ document, schema: inner as Schema })
  const check = (inner: unknown, under: Assumptions = assumptions) =>
    prover.breakingChanges({ ...obligation, assumptions: under, goal: here(inner) })
  const isProven = (inner: unknown) => check(inner).length === 0
  const refusesAll = (inner: unknown) => prover.refusesAll({ ...obligation, goal: here(inner) })
  const changes: BreakingChange[] = []

  if (Array.isArray(schema.allOf)) changes.push(...schema.allOf.flatMap((part) => check(part)))
  if (Array.isArray(schema.anyOf) && !schema.anyOf.some(isProven)) changes.push(...unproven(field, 'anyOf'))
  if (Array.isArray(schema.oneOf)) {
    const { oneOf } = schema
    const allOthersRefuse = (index: number) => oneOf.every((other, place) => place === index || refusesAll(other))
    if (!oneOf.some((option, index) => isProven(option) && allOthersRefuse(index))) changes.push(...unproven(field, 'oneOf'))
  }
  if (schema.not !== undefined && !refusesAll(schema.not)) changes.push(...unproven(field, 'not'))
  if (schema.if !== undefined) {
    const condition = here(schema.if)
    if (schema.then !== undefined) changes.push(...check(schema.then, assumeAcceptedBy(assumptions, [condition])))
    if (schema.else !== undefined) changes.push(...check(schema.else, assumeRefusedBy(assumptions, [condition])))
  }
  for (const [name, dependency] of Object.entries(schema.dependencies ?? {})) {
    // A dependency applies only to an object that has the member.
    const withMember = assumeAcceptedBy(assumptions, [here({ type: 'object', required: [name] })])
    if (prover.isContradictory({ ...obligation, assumptions: withMember })) continue
    changes.push(...check(Array.isArray(dependency) ? { required: dependency } : dependency, withMember))
  }
  return changes
}
