import type { Schema } from '../schema.ts'
import type { LocatedSchema } from './document.ts'
import type { Fact } from './fact.ts'
import type { Facts } from './facts.ts'

/** Returns the schema that a schema object applies to the item at this index. */
export const schemaOfItem = ({ document, schema }: Fact, index: number): LocatedSchema => {
  const { items } = schema
  if (!Array.isArray(items)) return { document, schema: (items ?? true) as Schema }
  const own: unknown = index < items.length ? items[index] : schema.additionalItems
  return { document, schema: (own ?? true) as Schema }
}

/** Returns the schemas that accept the item at this index, if the value has that item. */
export const itemFacts = (facts: Facts, index: number): readonly LocatedSchema[] =>
  facts.schemas.map((fact) => schemaOfItem(fact, index))

/** Returns the length of the longest list of item schemas. From this index on, every item obeys the same schemas. */
export const tupleLength = (schemas: readonly Fact[]): number =>
  Math.max(0, ...schemas.map(({ schema }) => (Array.isArray(schema.items) ? schema.items.length : 0)))
