import type * as z from 'zod'
import type { OperationName } from './operations/index.ts'
import { isExtended } from './schemas/extended.ts'
import { shapes } from './shapes.ts'

/** JSON text that is sent unchanged: parsing would lose the order of members with integer names, and digits of long numbers. */
export class JsonText<T = unknown> {
  readonly text: string
  /** Records the type of the value for the compiler only. */
  declare readonly holds: T

  /** @param text Must be valid JSON; it is not checked again. */
  constructor(text: string) {
    this.text = text
  }
}

/** Returns the members of a value that its schema names; extended members only for an extended answer. */
export type ShowOutput = (value: unknown, extended: boolean) => unknown

type Members = Readonly<Record<string, z.core.$ZodType>>

const unchanged: ShowOutput = (value) => value

const hasMembers = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !(value instanceof JsonText)

const showMembers = (shape: Members): ShowOutput => {
  const members = Object.entries(shape).map(([name, schema]) => ({ name, isExtra: isExtended(schema), show: showAs(schema) }))
  return (value, extended) => {
    if (!hasMembers(value)) return value
    const shown: Record<string, unknown> = {}
    for (const { name, isExtra, show } of members) {
      const member = value[name]
      if (member !== undefined && (extended || !isExtra)) shown[name] = show(member, extended)
    }
    return shown
  }
}

const showItems = (element: z.core.$ZodType): ShowOutput => {
  const show = showAs(element)
  return (value, extended) => (Array.isArray(value) ? value.map((item) => show(item, extended)) : value)
}

/** An instant of the core is milliseconds since 1970. */
const showTimestamp: ShowOutput = (value) => (typeof value === 'number' ? new Date(value).toISOString() : value)

/** Returns the members of an object, of both sides of an intersection, or of all options of a union; `undefined` for others. */
const membersOf = (schema: z.core.$ZodType): Members | undefined => {
  const { def } = (schema as z.core.$ZodTypes)._zod
  if (def.type === 'object') return def.catchall === undefined ? def.shape : undefined
  const parts = def.type === 'intersection' ? [def.left, def.right] : def.type === 'union' ? def.options : []
  const members = parts.map(membersOf)
  if (parts.length === 0 || members.includes(undefined)) return undefined
  return Object.fromEntries(members.flatMap((one) => Object.entries(one ?? {})))
}

export const showAs = (schema: z.core.$ZodType): ShowOutput => {
  const { def } = (schema as z.core.$ZodTypes)._zod
  if (def.type === 'array') return showItems(def.element)
  if (def.type === 'optional' || def.type === 'nullable') return showAs(def.innerType)
  if (def.type === 'string') return 'format' in def && def.format === 'datetime' ? showTimestamp : unchanged
  const members = membersOf(schema)
  return members === undefined ? unchanged : showMembers(members)
}

export const hasExtended = (schema: z.core.$ZodType): boolean => {
  const { def } = (schema as z.core.$ZodTypes)._zod
  if (def.type === 'array') return hasExtended(def.element)
  if (def.type === 'nullable') return hasExtended(def.innerType)
  return isExtended(schema) || Object.values(membersOf(schema) ?? {}).some(hasExtended)
}

/** Makes the function that turns what a use case returns into an output, extended only with `Countersign-Extended`. */
export const shownOutput = (name: OperationName): ShowOutput => showAs(shapes[name].output)
