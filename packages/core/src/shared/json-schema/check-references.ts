import { appliedSchemas, type Schema, type Schemas } from '../draft-07.ts'
import { costOf } from './keyword-costs.ts'
import { SchemaRefused } from './schema-refused.ts'

const limits = {
  /** The highest cost of all schemas that apply to the same value, in units of the meter. */
  cost: 10_000,
  /** The longest chain of schemas that apply to the same value. */
  depth: 64,
} as const

interface Weight {
  readonly cost: number
  readonly depth: number
}

/**
 * Bounds the work that one value can cause through `$ref` and keywords such as `allOf`, which apply further schemas to it:
 * references can multiply, or never end. The meter counts the schemas for members and items. @throws SchemaRefused
 */
export const checkReferences = (schemas: Schemas): void => {
  const weights = new Map<string, Weight | 'in progress'>()
  const weigh = (pointer: string, schema: Schema): Weight => {
    const known = weights.get(pointer)
    if (known === 'in progress') throw new SchemaRefused('refers to itself without going into a member or an item', { pointer })
    if (known !== undefined) return known
    weights.set(pointer, 'in progress')
    const applied = appliedSchemas(pointer, schema).filter(({ appliesTo }) => appliesTo === 'same_value')
    const inner = applied.map(({ pointer: target }) => weigh(target, schemas.get(target) ?? true))
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
