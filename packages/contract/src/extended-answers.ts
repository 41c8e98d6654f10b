import type * as z from 'zod'
import type { OperationName } from './operations/index.ts'
import { isExtended } from './schemas/extended.ts'
import { shapes } from './shapes.ts'

/** Returns an output without its extended members. The given output stays unchanged. */
export type WithoutExtended = <T>(output: T) => T

type Reduce = (value: unknown) => unknown

/** Returns whether the value is a plain object. An instance of a class stands for JSON text that is ready, and stays as it is. */
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

const ofObject = (shape: Readonly<Record<string, z.core.$ZodType>>): Reduce | undefined => {
  const removed = new Set<string>()
  const inner = new Map<string, Reduce>()
  for (const [name, schema] of Object.entries(shape)) {
    const reduce = reduceOf(schema)
    if (isExtended(schema)) removed.add(name)
    else if (reduce !== undefined) inner.set(name, reduce)
  }
  if (removed.size === 0 && inner.size === 0) return undefined
  return (value) => {
    if (!isObject(value)) return value
    const kept = Object.entries(value).filter(([name]) => !removed.has(name))
    return Object.fromEntries(kept.map(([name, member]) => [name, inner.get(name)?.(member) ?? member]))
  }
}

const ofList = (element: z.core.$ZodType): Reduce | undefined => {
  const reduce = reduceOf(element)
  return reduce && ((value) => (Array.isArray(value) ? value.map(reduce) : value))
}

const ofBoth = (left: Reduce | undefined, right: Reduce | undefined): Reduce | undefined =>
  left && right ? (value) => right(left(value)) : (left ?? right)

const reduceOf = (schema: z.core.$ZodType): Reduce | undefined => {
  const { def } = (schema as z.core.$ZodTypes)._zod
  if (def.type === 'object') return ofObject(def.shape)
  if (def.type === 'array') return ofList(def.element)
  if (def.type === 'intersection') return ofBoth(reduceOf(def.left), reduceOf(def.right))
  return def.type === 'optional' || def.type === 'nullable' ? reduceOf(def.innerType) : undefined
}

/** Makes the function that removes the extended members of a schema's outputs; `undefined` if the schema has none. */
export const withoutExtendedMembers = (schema: z.core.$ZodType): WithoutExtended | undefined =>
  reduceOf(schema) as WithoutExtended | undefined

/**
 * Makes the function that reduces an operation's output to the members of the contract. Every request without the header
 * `Countersign-Extended` gets the reduced output. Returns `undefined` if the output has no extended members.
 */
export const withoutExtended = (name: OperationName): WithoutExtended | undefined => withoutExtendedMembers(shapes[name].output)
