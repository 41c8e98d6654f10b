import { isSchemaObject, type Schema } from '../schema.ts'
import type { Located } from './document.ts'
import type { Choice, Fact, Facts } from './known.ts'

/** What is known of the parts of a value: its members and items. */

const entriesOf = (value: unknown): readonly (readonly [name: string, schema: Schema])[] =>
  isSchemaObject(value) ? (Object.entries(value) as [string, Schema][]) : []

export const propertiesOf = ({ schema }: Fact): ReadonlyMap<string, Schema> => new Map(entriesOf(schema.properties))

export const patternsOf = ({ schema }: Fact): readonly (readonly [pattern: string, schema: Schema])[] =>
  entriesOf(schema.patternProperties)

const additionalOf = ({ schema }: Fact): Schema => (schema.additionalProperties ?? true) as Schema

/** What one schema asks of a member of this name. */
const ofMember = (fact: Fact, name: string): readonly Located[] => {
  const { document } = fact
  const own = propertiesOf(fact).get(name)
  const matching = patternsOf(fact).filter(([pattern]) => document.matches(pattern, name))
  const named = [...(own === undefined ? [] : [own]), ...matching.map(([, schema]) => schema)]
  return (named.length > 0 ? named : [additionalOf(fact)]).map((schema) => ({ document, schema }))
}

/** What is known of a member, if it is there. */
export const memberFacts = (facts: Facts, name: string): readonly Located[] =>
  facts.schemas.flatMap((fact) => ofMember(fact, name))

/** Every name that some schema mentions among its properties. */
export const mentionedNames = (facts: Facts): ReadonlySet<string> =>
  new Set(facts.schemas.flatMap((fact) => [...propertiesOf(fact).keys()]))

/**
 * What is known of a member whose name is not mentioned, and which matches all of some patterns and none of others: of
 * patterns that are neither, it is not known whether they match.
 */
export const unmentionedMemberFacts = (
  facts: Facts,
  names: { readonly matching?: string; readonly notMatching: ReadonlySet<string> },
): readonly (Located | Choice)[] =>
  facts.schemas.flatMap((fact): (Located | Choice)[] => {
    const { document } = fact
    const patterns = patternsOf(fact)
    const certain = patterns.find(([pattern]) => pattern === names.matching)
    if (certain !== undefined) return [{ document, schema: certain[1] }]
    const possible = patterns.filter(([pattern]) => !names.notMatching.has(pattern)).map(([, schema]) => schema)
    const options = [additionalOf(fact), ...possible].map((schema) => ({ accepting: [{ document, schema }], refusing: [] }))
    return options.length === 1 ? [{ document, schema: additionalOf(fact) }] : [{ of: {}, options }]
  })

/** Whether no member can have a name that is not mentioned. */
export const isClosed = (facts: Facts): boolean =>
  facts.schemas.some((fact) => additionalOf(fact) === false && patternsOf(fact).length === 0)

const itemAt = ({ document, schema }: Fact, index: number): Located => {
  const { items } = schema
  if (!Array.isArray(items)) return { document, schema: (items ?? true) as Schema }
  const own: unknown = index < items.length ? items[index] : schema.additionalItems
  return { document, schema: (own ?? true) as Schema }
}

/** What is known of the item at this index, if it is there. */
export const itemFacts = (facts: Facts, index: number): readonly Located[] => facts.schemas.map((fact) => itemAt(fact, index))

/** From this index on, all items are asked the same. */
export const tupleLength = (schemas: readonly Fact[]): number =>
  Math.max(0, ...schemas.map(({ schema }) => (Array.isArray(schema.items) ? schema.items.length : 0)))

/** What a goal asks of the item at this index. */
export const goalItem = (goal: Fact, index: number): Located => itemAt(goal, index)
