import type { Schema } from '../schema.ts'
import type { CaseSplit } from './assumptions.ts'
import type { LocatedSchema } from './document.ts'
import type { Fact } from './fact.ts'

/** Returns the case splits that `anyOf`, `oneOf` and `if` of an accepting schema bring. */
export const caseSplitsOf = ({ document, schema }: Fact): readonly CaseSplit[] => {
  const splits: CaseSplit[] = []
  const here = (inner: unknown): LocatedSchema => ({ document, schema: inner as Schema })
  if (Array.isArray(schema.anyOf)) {
    splits.push({ on: schema.anyOf, cases: schema.anyOf.map((option) => ({ acceptedBy: [here(option)], refusedBy: [] })) })
  }
  if (Array.isArray(schema.oneOf)) {
    const { oneOf } = schema
    const cases = oneOf.map((option) => ({
      acceptedBy: [here(option)],
      refusedBy: oneOf.filter((other) => other !== option).map(here),
    }))
    splits.push({ on: oneOf, cases })
  }
  if (schema.if !== undefined) {
    const holds = { acceptedBy: [here(schema.if), here(schema.then ?? true)], refusedBy: [] }
    const fails = { acceptedBy: [here(schema.else ?? true)], refusedBy: [here(schema.if)] }
    // `if` may be a boolean, which cannot identify a split. The whole schema object does.
    splits.push({ on: schema, cases: [holds, fails] })
  }
  return splits
}
