import { isSchemaObject, type Schema } from '../schema.ts'
import type { CaseSplit } from './assumptions.ts'
import type { LocatedSchema } from './document.ts'
import type { Fact } from './fact.ts'
import type { Facts } from './facts.ts'

const entriesOf = (value: unknown): readonly (readonly [name: string, schema: Schema])[] =>
  isSchemaObject(value) ? (Object.entries(value) as [string, Schema][]) : []

export const propertiesOf = ({ schema }: Fact): ReadonlyMap<string, Schema> => new Map(entriesOf(schema.properties))

export const patternPropertiesOf = ({ schema }: Fact): readonly (readonly [pattern: string, schema: Schema])[] =>
  entriesOf(schema.patternProperties)

const additionalPropertiesOf = ({ schema }: Fact): Schema => (schema.additionalProperties ?? true) as Schema

/** Returns the schemas that one schema object applies to a member of this name. */
const schemasOfMember = (fact: Fact, name: string): readonly LocatedSchema[] => {
  const { document } = fact
  const own = propertiesOf(fact).get(name)
  const matching = patternPropertiesOf(fact).filter(([pattern]) => document.matches(pattern, name))
  const named = [...(own === undefined ? [] : [own]), ...matching.map(([, schema]) => schema)]
  return (named.length > 0 ? named : [additionalPropertiesOf(fact)]).map((schema) => ({ document, schema }))
}

/** Returns the schemas that accept the member of this name, if the value has that member. */
export const memberFacts = (facts: Facts, name: string): readonly LocatedSchema[] =>
  facts.schemas.flatMap((fact) => schemasOfMember(fact, name))

/** Returns every name that some schema lists under `properties`. */
export const mentionedNames = (facts: Facts): ReadonlySet<string> =>
  new Set(facts.schemas.flatMap((fact) => [...propertiesOf(fact).keys()]))

/**
 * Returns the schemas that accept a member whose name no `properties` lists.
 *
 * @param names The pattern that the name matches, and patterns that the name does not match. Whether the name matches any
 *   other pattern is unknown; each such pattern is a case.
 */
export const unmentionedMemberFacts = (
  facts: Facts,
  names: { readonly matching?: string; readonly notMatching: ReadonlySet<string> },
): readonly (LocatedSchema | CaseSplit)[] =>
  facts.schemas.flatMap((fact): (LocatedSchema | CaseSplit)[] => {
    const { document } = fact
    const patterns = patternPropertiesOf(fact)
    const certain = patterns.find(([pattern]) => pattern === names.matching)
    if (certain !== undefined) return [{ document, schema: certain[1] }]
    const possible = patterns.filter(([pattern]) => !names.notMatching.has(pattern)).map(([, schema]) => schema)
    const cases = [additionalPropertiesOf(fact), ...possible].map((schema) => ({
      acceptedBy: [{ document, schema }],
      refusedBy: [],
    }))
    return cases.length === 1 ? [{ document, schema: additionalPropertiesOf(fact) }] : [{ on: {}, cases }]
  })

const isClosedSchema = (fact: Fact): boolean => additionalPropertiesOf(fact) === false && patternPropertiesOf(fact).length === 0

/** Returns whether the value can only have members that some `properties` lists. */
export const isClosed = (facts: Facts): boolean => facts.schemas.some(isClosedSchema)

/** Returns how many members the value can have at most, because only listed names are allowed. */
export const mostMembers = (facts: Facts): number =>
  Math.min(Number.POSITIVE_INFINITY, ...facts.schemas.filter(isClosedSchema).map((fact) => propertiesOf(fact).size))
