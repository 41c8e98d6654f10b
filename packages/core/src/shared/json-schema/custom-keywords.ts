import { _, type FuncKeywordDefinition } from 'ajv'
import { digitsToDivide, dividesExactly } from './decimals.ts'
import { type Cost, METER_KEYWORD } from './keyword-costs.ts'
import type { Meter } from './meter.ts'

const CHARACTERS_PER_UNIT = 8
const UNITS_PER_MEMBER = 6
const DIGITS_PER_UNIT = 6

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** Returns a text that only equal JSON values share (draft-07 core, section 4.2.3), by own members. Spends the cost. */
const identityOf = (value: unknown, spend: Meter['spend']): string => {
  if (typeof value === 'string') {
    spend(1 + value.length / CHARACTERS_PER_UNIT)
    return JSON.stringify(value)
  }
  spend(1)
  if (!isObject(value)) return String(value)
  if (Array.isArray(value)) return `[${value.map((item) => identityOf(item, spend)).join()}]`
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  spend(UNITS_PER_MEMBER * (1 + members.length))
  return `{${members.map(([name, member]) => `${identityOf(name, spend)}:${identityOf(member, spend)}`).join()}}`
}

/** Makes a function that returns whether a value equals one of the listed values. */
const isAmong = (listed: readonly unknown[], { spend }: Meter): ((value: unknown) => boolean) => {
  const scalars = new Set(listed.filter((value) => !isObject(value)))
  const objects = listed.filter(isObject)
  const sizes = new Set(objects.map((object) => Object.keys(object).length))
  const identities = new Set(objects.map((object) => identityOf(object, () => {})))
  return (value) => {
    if (!isObject(value)) return scalars.has(value)
    return sizes.has(Object.keys(value).length) && identities.has(identityOf(value, spend))
  }
}

/**
 * Returns the keywords that replace those of Ajv: the cost, which spends units of the meter; `enum` and `const`, because Ajv would
 * call a member named `toString`; `uniqueItems` in linear time; `multipleOf` with exact decimals, as for 19.99 and 0.01.
 */
export const customKeywords = (meter: Meter): readonly FuncKeywordDefinition[] => [
  {
    keyword: METER_KEYWORD,
    schemaType: 'object',
    errors: false,
    validate: ({ fixed, perCharacter, perMember }: Cost, value: unknown) => {
      let units = fixed
      if (typeof value === 'string') units += perCharacter * value.length
      else if (perMember > 0 && typeof value === 'object' && value !== null) units += perMember * Object.keys(value).length
      meter.spend(units)
      return true
    },
  },
  {
    keyword: 'enum',
    schemaType: 'array',
    error: { params: ({ schemaCode }) => _`{ allowedValues: ${schemaCode} }`, message: '' },
    compile: (listed: readonly unknown[]) => isAmong(listed, meter),
  },
  {
    keyword: 'const',
    error: { params: ({ schemaCode }) => _`{ allowedValue: ${schemaCode} }`, message: '' },
    compile: (only: unknown) => isAmong([only], meter),
  },
  {
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    validate: (isUnique: boolean, items: readonly unknown[]) =>
      !isUnique || new Set(items.map((item) => identityOf(item, meter.spend))).size === items.length,
  },
  {
    keyword: 'multipleOf',
    type: 'number',
    schemaType: 'number',
    error: { params: ({ schemaCode }) => _`{ multipleOf: ${schemaCode} }`, message: '' },
    validate: (divisor: number, value: number) => {
      meter.spend(digitsToDivide(divisor, value) / DIGITS_PER_UNIT)
      return dividesExactly(divisor, value)
    },
  },
]
