import * as z from 'zod'
import { type BodyLimit, type Operation, type OperationName, operations } from './operations/index.ts'
import { shapes } from './shapes.ts'

/** The limit and the members of a body. */
export interface BodyLayout extends BodyLimit {
  /** True if no member of the body is required. */
  readonly isOptional: boolean
  /** Returns whether the operation reads the member. The members of a union count as read, whatever their name. */
  readonly reads: (member: string) => boolean
}

/** The parts of the request that carry the members of an operation's input. */
export interface RequestLayout {
  /** The members of the query, and whether each member takes one value or a list. Empty for an operation with a body. */
  readonly query: ReadonlyMap<string, 'one' | 'list'>
  /** The members that the body accepts; `undefined` for an operation without a body. */
  readonly body: BodyLayout | undefined
  /** The members that headers carry: member → header name. */
  readonly headers: Operation['headers']
}

const takes = (schema: z.core.$ZodType, value: unknown): boolean => z.safeParse(schema, value).success

/** Returns the members of the query or the body, each with its schema; `undefined` for a union. */
const remainingMembers = (name: OperationName): readonly (readonly [string, z.core.$ZodType])[] | undefined => {
  const { path, headers = {} }: Operation = operations[name]
  const { input } = shapes[name]
  if (!(input instanceof z.ZodObject)) return undefined
  return Object.entries<z.core.$ZodType>(input.shape).filter(([member]) => !path.includes(`{${member}}`) && !(member in headers))
}

/** Derives the request layout of an operation from the tables. */
export const requestLayoutOf = (name: OperationName): RequestLayout => {
  const { body, headers }: Operation = operations[name]
  const members = remainingMembers(name)
  if (body === undefined) {
    const query = new Map(members?.map(([member, schema]) => [member, takes(schema, []) ? 'list' : 'one'] as const))
    return { query, body: undefined, headers }
  }
  // `oneOf` names alternatives of required members.
  const hasAlternatives = shapes[name].input.meta()?.oneOf !== undefined
  const isOptional = !hasAlternatives && (members?.every(([, schema]) => takes(schema, undefined)) ?? false)
  const names = members && new Set(members.map(([member]) => member))
  const reads = (member: string): boolean => names?.has(member) ?? true
  return { query: new Map(), body: { ...body, isOptional, reads }, headers }
}
