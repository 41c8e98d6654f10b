import type { Operation } from '../operations/index.ts'
import type { JsonSchema } from './schema.ts'

type Place = 'path' | 'header' | 'query'

/** A parameter object (OpenAPI 3.1 §4.8.12). */
export interface Parameter {
  readonly name: string
  readonly in: Place
  readonly required: boolean
  readonly description?: string
  readonly schema: JsonSchema
  readonly example?: unknown
}

export interface Travelling {
  readonly parameters: readonly Parameter[]
  /** The members of the JSON body; `undefined` if the operation has no body. */
  readonly body: JsonSchema | undefined
}

/** Names the query parameter of a member. A list has brackets after its name and sends one pair for each item. */
const queryOf = (name: string, schema: JsonSchema): { name: string; schema: JsonSchema } => {
  const list = schema.anyOf?.find(({ type }) => type === 'array')
  return list === undefined ? { name, schema } : { name: `${name}[]`, schema: list }
}

/** Assigns each member of an operation's input to the path, the headers, the query or the JSON body. */
export const parametersOf = (operation: Operation, input: JsonSchema, example: Readonly<Record<string, unknown>>): Travelling => {
  const { properties = {}, required = [], ...rest } = input
  const members = new Map(Object.entries(properties))
  const parameter = (member: string, at: Place, named: { name: string; schema: JsonSchema }): Parameter => {
    members.delete(member)
    const { description, ...schema } = named.schema
    return {
      name: named.name,
      in: at,
      required: at === 'path' || required.includes(member),
      ...(description === undefined ? {} : { description }),
      schema,
      ...(example[member] === undefined ? {} : { example: example[member] }),
    }
  }
  const memberSchema = (member: string): JsonSchema => properties[member] as JsonSchema

  const parameters: Parameter[] = []
  for (const [, member = ''] of operation.path.matchAll(/\{(\w+)\}/g)) {
    parameters.push(parameter(member, 'path', { name: member, schema: memberSchema(member) }))
  }
  for (const [member, name] of Object.entries(operation.headers ?? {})) {
    parameters.push(parameter(member, 'header', { name, schema: memberSchema(member) }))
  }
  if (operation.body === undefined) {
    for (const member of [...members.keys()]) parameters.push(parameter(member, 'query', queryOf(member, memberSchema(member))))
    return { parameters, body: undefined }
  }
  // A union has no members of its own.
  if (input.properties === undefined) return { parameters, body: input }
  const left = required.filter((member) => members.has(member))
  const body = { ...rest, properties: Object.fromEntries(members), ...(left.length === 0 ? {} : { required: left }) }
  return { parameters, body }
}
