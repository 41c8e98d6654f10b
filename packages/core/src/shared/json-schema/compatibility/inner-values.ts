import type { Schema } from '../schema.ts'
import { additionalOf, type Given, givenOf, isClosed, type Part, patternsOf } from './given.ts'

/** Returns the schemas that a part applies to the member of this name. */
export const memberSchemas = (part: Part, name: string): readonly Schema[] => {
  const properties = (part.schema.properties ?? {}) as Readonly<Record<string, Schema>>
  const matching = patternsOf(part).flatMap(([pattern, schema]) => (part.document.matches(pattern, name) ? [schema] : []))
  const named = Object.hasOwn(properties, name) ? [properties[name] as Schema, ...matching] : matching
  return named.length > 0 ? named : [additionalOf(part)]
}

/** Returns what is known of the member of this name. */
export const givenMember = ({ parts }: Given, name: string): Given =>
  givenOf(parts.flatMap((part) => memberSchemas(part, name).map((schema) => ({ document: part.document, schema }))))

/** Returns what is known of members that no `properties` lists: whose name matches one pattern, or does not match others. */
export const givenUnlisted = ({ parts }: Given, matched: string | undefined, unmatched: readonly string[]): Given =>
  givenOf(
    parts.map((part) => {
      const possible = patternsOf(part).filter(([pattern]) => !unmatched.includes(pattern))
      const certain = possible.find(([pattern]) => pattern === matched)?.[1]
      const either = [additionalOf(part), ...possible.map(([, schema]) => schema)]
      return { document: part.document, schema: certain ?? (either.length === 1 ? additionalOf(part) : { anyOf: either }) }
    }),
  )

/** Returns the names that schemas list, the patterns of names, and whether there can be no other members. */
export const namesOf = (parts: readonly Part[]) => ({
  listed: new Set(parts.flatMap(({ schema }) => Object.keys(schema.properties ?? {}))),
  patterns: parts.flatMap(patternsOf),
  isClosed: parts.some(isClosed),
  additional: parts.map(additionalOf),
})

/** Returns the schema that a part applies to the item at this index. */
export const itemSchema = ({ schema: { items, additionalItems } }: Part, index: number): Schema =>
  ((Array.isArray(items) ? (index < items.length ? items[index] : additionalItems) : items) ?? true) as Schema

export const givenItem = ({ parts }: Given, index: number): Given =>
  givenOf(parts.map((part) => ({ document: part.document, schema: itemSchema(part, index) })))

/** Returns the index from which on every item obeys the same schemas. */
export const tupleLength = (parts: readonly Part[]): number =>
  Math.max(0, ...parts.map(({ schema: { items } }) => (Array.isArray(items) ? items.length : 0)))
