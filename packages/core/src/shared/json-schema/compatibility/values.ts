import type { Located } from './document.ts'
import { memberFacts } from './inside.ts'
import type { Facts, Known } from './known.ts'
import { alsoAccepting, nothingKnown, spread } from './known.ts'
import { possibleKinds, requiredOf } from './limits.ts'

const listed = (facts: Facts): readonly unknown[] | undefined => {
  for (const { schema } of facts.schemas) {
    if (Object.hasOwn(schema, 'const')) return [schema.const]
    if (Array.isArray(schema.enum)) return schema.enum as readonly unknown[]
  }
  return undefined
}

/** The values of the kinds that have few. */
const fewValues = { null: [null], boolean: [false, true] } as const

const isRefusedBy = ({ document, schema }: Located, value: unknown): boolean => document.accepts(schema, value) === false

/**
 * Every value that there may be, where they can be listed: because a schema lists them, or because only `null`, `true` and
 * `false` are left. `undefined` where they cannot.
 */
export const possibleValues = (known: Known, facts: Facts): readonly unknown[] | undefined => {
  const kinds = [...possibleKinds(known, facts)]
  const few = kinds.every((kind) => kind === 'null' || kind === 'boolean')
    ? kinds.flatMap((kind) => fewValues[kind as 'null'])
    : undefined
  const values = listed(facts) ?? few
  return values?.filter(
    (value) =>
      !facts.schemas.some((fact) => isRefusedBy(fact, value)) &&
      !facts.refusing.some(({ document, schema }) => document.accepts(schema, value) === true),
  )
}

/** How far into required members it is looked for what cannot be. */
const DEPTH = 6

/** Whether it is certain that no value is like what is known. */
export const isImpossible = (known: Known, depth = DEPTH): boolean => {
  const facts = spread(known)
  if (facts.isNever) return true
  const values = possibleValues(known, facts)
  if (values !== undefined) return values.length === 0
  const kinds = possibleKinds(known, facts)
  if (kinds.size === 0) return true
  if (depth === 0 || kinds.size > 1 || !kinds.has('object')) return false
  return [...requiredOf(facts)].some((name) => isImpossible(alsoAccepting(nothingKnown, memberFacts(facts, name)), depth - 1))
}
