import type * as z from 'zod'
import type { OperationName } from './operations/index.ts'
import { shapes } from './shapes.ts'

/** Returns a value without the nulls that mean "absent". The given value stays unchanged. */
type Clean = (value: unknown) => unknown

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value)

const cleanOptional = (inner: z.core.$ZodType): Clean => {
  // The schema gives null a meaning of its own, so the null stays.
  if ((inner as z.core.$ZodTypes)._zod.def.type === 'nullable') return (value) => value
  const cleanInner = cleanerOf(inner)
  return (value) => (value === null ? undefined : (cleanInner?.(value) ?? value))
}

const cleanObject = (shape: z.core.$ZodLooseShape): Clean | undefined => {
  const cleaners = Object.entries<z.core.$ZodType>(shape).flatMap(([name, schema]) => {
    const clean = cleanerOf(schema)
    return clean === undefined ? [] : [[name, clean] as const]
  })
  if (cleaners.length === 0) return undefined
  return (value) => {
    if (!isObject(value)) return value
    let copy: Record<string, unknown> | undefined
    for (const [name, clean] of cleaners) {
      const given = value[name]
      if (given === undefined) continue
      const cleaned = clean(given)
      if (cleaned === given) continue
      copy ??= { ...value }
      if (cleaned === undefined) delete copy[name]
      else copy[name] = cleaned
    }
    return copy ?? value
  }
}

const cleanList = (element: z.core.$ZodType): Clean | undefined => {
  const clean = cleanerOf(element)
  if (clean === undefined) return undefined
  return (value) => {
    if (!isList(value)) return value
    const cleaned = value.map(clean)
    return cleaned.some((item, at) => item !== value[at]) ? cleaned : value
  }
}

const isOptional = (schema: z.core.$ZodType): boolean =>
  ['optional', 'default'].includes((schema as z.core.$ZodTypes)._zod.def.type)

/** Returns the options of a union, and the options of unions among them. */
const optionsOf = (schema: z.core.$ZodType): readonly z.core.$ZodType[] => {
  const { def } = (schema as z.core.$ZodTypes)._zod
  return def.type === 'union' ? def.options.flatMap(optionsOf) : [schema]
}

/** Cleans the members that are optional in every option of a union. Members that only some options have stay as given. */
const cleanUnion = (options: readonly z.core.$ZodType[]): Clean | undefined => {
  const [first = {}, ...others] = options.flatMap(optionsOf).map((option) => {
    const { def } = (option as z.core.$ZodTypes)._zod
    return def.type === 'object' ? def.shape : {}
  })
  const common = Object.entries<z.core.$ZodType>(first).filter(([name, schema]) =>
    [schema, ...others.map((shape) => shape[name])].every((member) => member !== undefined && isOptional(member)),
  )
  return cleanObject(Object.fromEntries(common))
}

/** Makes the cleaner for a schema. Returns `undefined` for a schema without optional members. */
const cleanerOf = (schema: z.core.$ZodType): Clean | undefined => {
  const { def } = (schema as z.core.$ZodTypes)._zod
  if (def.type === 'optional' || def.type === 'default') return cleanOptional(def.innerType)
  if (def.type === 'object') return cleanObject(def.shape)
  if (def.type === 'array') return cleanList(def.element)
  if (def.type === 'union') return cleanUnion(def.options)
  return undefined
}

const cleaners = new Map(Object.entries(shapes).map(([name, { input }]) => [name, cleanerOf(input)]))

/** Removes each `null` of an optional member from an input, at any depth: many clients write it for a missing member. */
export const withoutAbsentNulls = (name: OperationName, input: unknown): unknown => cleaners.get(name)?.(input) ?? input
