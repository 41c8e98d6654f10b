import { isAssertion, mapSubschemas, type Schema, type SchemaObject } from '../draft-07.ts'

/** The keyword with the cost of a schema. Every schema gets this keyword when it is compiled. */
export const METER_KEYWORD = 'x-countersign-cost'

/** The cost of applying a schema to a value, in units of the meter. */
export interface Cost {
  readonly fixed: number
  readonly perCharacter: number
  readonly perMember: number
}

const CHARACTERS_PER_UNIT = 32
const VALUES_PER_UNIT = 12
const UNITS_PER_MEMBER = 4
/** Ajv creates an error object for each missing required name, which costs more than the check. */
const UNITS_PER_NAME = 3

const sizeOf = (value: unknown): number => {
  if (typeof value === 'string') return 1 + value.length / CHARACTERS_PER_UNIT
  if (typeof value !== 'object' || value === null) return 1
  return Object.values(value).reduce((sum: number, member) => sum + sizeOf(member), 1)
}

const memberCount = (value: unknown): number => (typeof value === 'object' && value !== null ? Object.keys(value).length : 0)

const namesIn = (value: unknown): number => Object.values(value ?? {}).reduce<number>((sum, list) => sum + memberCount(list), 1)

type Costs = Readonly<Record<string, (value: unknown) => number>>

const ofValues = (value: unknown): number => 1 + sizeOf(value) / VALUES_PER_UNIT
const ofMembers = (value: unknown): number => 1 + memberCount(value)

/** The fixed cost of a keyword, without its subschemas. The other keywords cost 1. */
const fixedCosts: Costs = {
  ...{ enum: ofValues, const: ofValues, dependencies: namesIn },
  ...{ properties: ofMembers, allOf: ofMembers, anyOf: ofMembers, oneOf: ofMembers },
  required: (value) => 1 + memberCount(value) * UNITS_PER_NAME,
}

/** The work of a keyword for every member of an object: 1 for a visit. */
const memberWork: Costs = {
  // Ajv creates error objects for each refused member, which costs more than the visit.
  additionalProperties: (value) => (value === false ? 2 : 1),
  propertyNames: () => 1.5,
  minProperties: () => 1,
  maxProperties: () => 1,
  patternProperties: memberCount,
}

/** The number of times that a keyword visits every character of a string. */
const characterVisits: Costs = { minLength: () => 1, maxLength: () => 1 }

/** Returns the cost of applying a schema to one value. Subschemas and patterns spend their own cost. */
export const costOf = (schema: SchemaObject): Cost => {
  if (Object.hasOwn(schema, '$ref')) return { fixed: 1, perCharacter: 0, perMember: 0 }
  const keywords = Object.entries(schema).filter(([keyword]) => isAssertion(keyword))
  const sum = (costs: Costs, otherwise: number) =>
    keywords.reduce((total, [keyword, value]) => total + (costs[keyword]?.(value) ?? otherwise), 0)
  return {
    fixed: Math.ceil(1 + sum(fixedCosts, 1)),
    perCharacter: sum(characterVisits, 0) / CHARACTERS_PER_UNIT,
    perMember: sum(memberWork, 0) * UNITS_PER_MEMBER,
  }
}

/** Returns the schema without annotations, with its cost added to each subschema, and each `$ref` as `referTo` returns it. */
export const withCosts = (schema: Schema, referTo: (reference: string) => string): Schema => {
  if (typeof schema === 'boolean') return schema
  const inner = mapSubschemas(schema, (subschema) => withCosts(subschema, referTo))
  if (typeof schema.$ref === 'string') return { ...inner, $ref: referTo(schema.$ref) }
  return { ...inner, [METER_KEYWORD]: costOf(schema) }
}
