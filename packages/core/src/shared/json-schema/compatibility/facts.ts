import type { Schema } from '../schema.ts'
import { type Assumptions, type CaseSplit, isCaseSplit } from './assumptions.ts'
import { caseSplitsOf } from './case-splits.ts'
import type { Document, LocatedSchema } from './document.ts'
import type { Fact } from './fact.ts'

/** The facts that follow from assumptions without a case split. */
export interface Facts {
  /** The schema objects that accept the value. References are followed, and each part of an `allOf` is listed. */
  readonly schemas: readonly Fact[]
  /** The case splits that are still to be made. */
  readonly splits: readonly CaseSplit[]
  readonly refusedBy: readonly LocatedSchema[]
  /** `true` if the schema `false` is among the accepting ones. Then no value meets the assumptions. */
  readonly isContradictory: boolean
}

const locate = (document: Document, schema: unknown): LocatedSchema => ({ document, schema: schema as Schema })

/** Returns the schemas that `dependencies` apply, because `required` names the members that they depend on. */
const dependencyFacts = (assumptions: Assumptions, facts: readonly Fact[]): readonly LocatedSchema[] => {
  // `required` says nothing about a value that is not an object.
  const isObject =
    (assumptions.kinds.size === 1 && assumptions.kinds.has('object')) || facts.some(({ schema }) => schema.type === 'object')
  if (!isObject) return []
  const required = new Set(
    facts.flatMap(({ schema }): readonly unknown[] => (Array.isArray(schema.required) ? schema.required : [])),
  )
  return facts.flatMap(({ document, schema }) =>
    Object.entries(schema.dependencies ?? {})
      .filter(([name]) => required.has(name))
      .map(([, dependency]) => locate(document, Array.isArray(dependency) ? { required: dependency } : dependency)),
  )
}

/** Facts by assumptions. Assumptions are immutable, and every rule asks for their facts again. */
const cache = new WeakMap<Assumptions, Facts>()

/** Returns the facts that follow from assumptions without a case split. */
export const factsOf = (assumptions: Assumptions): Facts => {
  const facts = cache.get(assumptions) ?? deriveFacts(assumptions)
  cache.set(assumptions, facts)
  return facts
}

const deriveFacts = (assumptions: Assumptions): Facts => {
  const schemas: Fact[] = []
  const seen = new Set<Schema>()
  const splits: CaseSplit[] = []
  let isFalse = false
  const add = (assumption: LocatedSchema | CaseSplit): void => {
    if (isCaseSplit(assumption)) {
      splits.push(assumption)
      return
    }
    const schema = assumption.document.resolve(assumption.schema)
    if (seen.has(schema)) return
    seen.add(schema)
    if (typeof schema === 'boolean') {
      isFalse ||= !schema
      return
    }
    schemas.push({ document: assumption.document, schema })
    if (Array.isArray(schema.allOf)) for (const part of schema.allOf) add(locate(assumption.document, part))
  }
  for (const assumption of assumptions.acceptedBy) add(assumption)
  for (const fact of dependencyFacts(assumptions, schemas)) add(fact)
  splits.push(...schemas.flatMap(caseSplitsOf))
  const excluded = schemas.flatMap(({ document, schema }) => (schema.not === undefined ? [] : [locate(document, schema.not)]))
  const refusedBy = [...assumptions.refusedBy, ...excluded]
  return {
    schemas,
    splits: splits.filter(({ on }) => !assumptions.splits.has(on)),
    refusedBy,
    isContradictory: isFalse || refusedBy.some(({ document, schema }) => document.resolve(schema) === true),
  }
}
