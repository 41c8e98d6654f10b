import { isDeciding, mapSubschemas, type Schema, type SchemaObject } from './schema.ts'

/** The keyword that every schema gets when it is compiled: what one application of it costs. */
export const METER_KEYWORD = 'x-countersign-cost'

/** In units of the meter. */
export interface Cost {
  /** However the value looks. */
  readonly fixed: number
  /** For every character of a text. */
  readonly perCharacter: number
  /** For every member of an object. */
  readonly perMember: number
}

const CHARACTERS_A_UNIT = 32
const VALUES_A_UNIT = 16
const UNITS_A_MEMBER = 4
/** Of a required name that is missing the library makes an error, which costs more than to find that it is. */
const UNITS_A_NAME = 3

const sizeOf = (value: unknown): number => {
  if (typeof value === 'string') return 1 + value.length / CHARACTERS_A_UNIT
  if (typeof value !== 'object' || value === null) return 1
  return Object.values(value).reduce((sum: number, member) => sum + sizeOf(member), 1)
}

const memberCount = (value: unknown): number => (typeof value === 'object' && value !== null ? Object.keys(value).length : 0)

const namesIn = (value: unknown): number => Object.values(value ?? {}).reduce<number>((sum, list) => sum + memberCount(list), 1)

/** What the keyword itself looks at, without the subschemas it applies. */
const fixedCostOf = (keyword: string, value: unknown): number => {
  switch (keyword) {
    case 'enum':
    case 'const':
      return 1 + sizeOf(value) / VALUES_A_UNIT
    case 'required':
      return 1 + memberCount(value) * UNITS_A_NAME
    case 'dependencies':
      return namesIn(value)
    case 'properties':
    case 'allOf':
    case 'anyOf':
    case 'oneOf':
      return 1 + memberCount(value)
    default:
      return 1
  }
}

/** Keywords that look at every member of an object, once or (for patterns) several times. */
const memberLooksOf = (keyword: string, value: unknown): number => {
  switch (keyword) {
    case 'additionalProperties':
    case 'propertyNames':
    case 'minProperties':
    case 'maxProperties':
      return 1
    case 'patternProperties':
      return memberCount(value)
    default:
      return 0
  }
}

const textLooksOf = (keyword: string): number => (keyword === 'minLength' || keyword === 'maxLength' ? 1 : 0)

/** What one application of a schema to one value costs, without its subschemas and patterns, which tell of themselves. */
export const costOf = (schema: SchemaObject): Cost => {
  if (Object.hasOwn(schema, '$ref')) return { fixed: 1, perCharacter: 0, perMember: 0 }
  const keywords = Object.entries(schema).filter(([keyword]) => isDeciding(keyword))
  const sum = (part: (keyword: string, value: unknown) => number) =>
    keywords.reduce((total, [keyword, value]) => total + part(keyword, value), 0)
  return {
    fixed: Math.ceil(1 + sum(fixedCostOf)),
    perCharacter: sum(textLooksOf) / CHARACTERS_A_UNIT,
    perMember: sum(memberLooksOf) * UNITS_A_MEMBER,
  }
}

/** The same schema, with the cost of each application written into it, and without what decides nothing. */
export const metered = (schema: Schema): Schema => {
  if (typeof schema === 'boolean') return schema
  const inner = mapSubschemas(schema, metered)
  return Object.hasOwn(schema, '$ref') ? inner : { ...inner, [METER_KEYWORD]: costOf(schema) }
}
