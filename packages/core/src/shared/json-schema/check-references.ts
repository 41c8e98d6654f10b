import { costOf } from './metered.ts'
import { fromReference, type Schema, type SchemaObject, type Schemas, subschemas, toPointer } from './schema.ts'
import { SchemaRefused } from './schema-refused.ts'

const limits = {
  /** What the schemas that apply to one and the same value may cost together, in units of the meter. */
  cost: 10_000,
  /** How far such schemas may stand in each other. */
  depth: 64,
} as const

/** The pointer to the schema that a `$ref` names. */
const targetOf = (schemas: Schemas, pointer: string, reference: unknown): string => {
  const path = typeof reference === 'string' ? fromReference(reference) : undefined
  if (path === undefined) {
    throw new SchemaRefused('must stay within the document: # or a JSON pointer after #', { pointer: `${pointer}/$ref` })
  }
  const target = toPointer(path)
  if (!schemas.has(target)) throw new SchemaRefused('points to no schema', { pointer: `${pointer}/$ref` })
  return target
}

const inPlace = (schemas: Schemas, pointer: string, schema: SchemaObject): readonly string[] => {
  if (Object.hasOwn(schema, '$ref')) return [targetOf(schemas, pointer, schema.$ref)]
  return subschemas(schema)
    .filter(({ place }) => place === 'in_place')
    .map(({ path }) => `${pointer}${toPointer(path).slice(1)}`)
}

interface Weight {
  readonly cost: number
  readonly depth: number
}

/**
 * Every schema that applies to a value brings others that apply to the same value: through `allOf` and its like, and
 * through `$ref`. What they cost together is bounded here, for a few references can multiply to any number; and none may
 * bring itself. What applies to members and items is bounded by the value, and counted as it goes.
 */
export const checkReferences = (schemas: Schemas): void => {
  const weights = new Map<string, Weight | 'in progress'>()
  const weigh = (pointer: string, schema: Schema): Weight => {
    const known = weights.get(pointer)
    if (known === 'in progress') throw new SchemaRefused('refers to itself without going into a member or an item', { pointer })
    if (known !== undefined) return known
    weights.set(pointer, 'in progress')
    const brought = typeof schema === 'boolean' ? [] : inPlace(schemas, pointer, schema)
    const inner = brought.map((target) => weigh(target, schemas.get(target) ?? true))
    const weight = {
      cost: inner.reduce((sum, { cost }) => sum + cost, typeof schema === 'boolean' ? 1 : costOf(schema).fixed),
      depth: inner.reduce((deepest, { depth }) => Math.max(deepest, depth + 1), 0),
    }
    if (weight.cost > limits.cost) {
      throw new SchemaRefused('takes too much work: too many schemas, references counted each time, apply to one value', {
        pointer,
      })
    }
    if (weight.depth > limits.depth) {
      throw new SchemaRefused(`goes through more than ${limits.depth} schemas for one value`, { pointer })
    }
    weights.set(pointer, weight)
    return weight
  }
  for (const [pointer, schema] of schemas) weigh(pointer, schema)
}
