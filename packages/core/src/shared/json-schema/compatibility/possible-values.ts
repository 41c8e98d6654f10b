import { type Assumptions, assumeAcceptedBy, noAssumptions } from './assumptions.ts'
import { requiredNames } from './bounds.ts'
import type { LocatedSchema } from './document.ts'
import { type Facts, factsOf } from './facts.ts'
import { memberFacts } from './member-facts.ts'
import { possibleKinds } from './possible-kinds.ts'

const listedValues = (facts: Facts): readonly unknown[] | undefined => {
  for (const { schema } of facts.schemas) {
    if (Object.hasOwn(schema, 'const')) return [schema.const]
    if (Array.isArray(schema.enum)) return schema.enum as readonly unknown[]
  }
  return undefined
}

/** All values of the two kinds that have few values. */
const valuesOfKind = { null: [null], boolean: [false, true] } as const

const isRefusedBy = ({ document, schema }: LocatedSchema, value: unknown): boolean => document.accepts(schema, value) === false

/**
 * Returns every value that meets the assumptions; `undefined` if the values cannot be listed. They can be listed where
 * `enum` or `const` lists them, or where only `null`, `true` and `false` are possible.
 */
export const possibleValues = (assumptions: Assumptions): readonly unknown[] | undefined => {
  const facts = factsOf(assumptions)
  const kinds = [...possibleKinds(assumptions)]
  const few = kinds.every((kind) => kind === 'null' || kind === 'boolean')
    ? kinds.flatMap((kind) => valuesOfKind[kind as 'null'])
    : undefined
  const values = listedValues(facts) ?? few
  return values?.filter(
    (value) =>
      !facts.schemas.some((fact) => isRefusedBy(fact, value)) &&
      !facts.refusedBy.some(({ document, schema }) => document.accepts(schema, value) === true),
  )
}

/** The depth of required members, inside each other, that are searched for a contradiction. */
const DEPTH = 6

/** Returns whether certainly no value meets the assumptions. Makes no case split and no proof. */
export const isObviouslyContradictory = (assumptions: Assumptions, depth = DEPTH): boolean => {
  const facts = factsOf(assumptions)
  if (facts.isContradictory) return true
  const values = possibleValues(assumptions)
  if (values !== undefined) return values.length === 0
  const kinds = possibleKinds(assumptions)
  if (kinds.size === 0) return true
  if (depth === 0 || kinds.size > 1 || !kinds.has('object')) return false
  return [...requiredNames(facts)].some((name) =>
    isObviouslyContradictory(assumeAcceptedBy(noAssumptions, memberFacts(facts, name)), depth - 1),
  )
}
