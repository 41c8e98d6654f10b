import { _, type FuncKeywordDefinition } from 'ajv'
import { digitsToDivide, dividesExactly } from './decimals.ts'
import { type Cost, METER_KEYWORD } from './keyword-costs.ts'
import { isAmong } from './listed-values.ts'
import type { Meter } from './meter.ts'

const CHARACTERS_PER_UNIT = 8
const UNITS_PER_MEMBER = 6
const DIGITS_PER_UNIT = 6

/** Returns a text that two JSON values share exactly if they are equal. Spends the cost from the meter on the way. */
const identityOf = (value: unknown, meter: Meter): string => {
  if (typeof value === 'string') {
    meter.spend(1 + value.length / CHARACTERS_PER_UNIT)
    return JSON.stringify(value)
  }
  meter.spend(1)
  if (typeof value !== 'object' || value === null) return String(value)
  if (Array.isArray(value)) return `[${value.map((item) => identityOf(item, meter)).join()}]`
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  meter.spend(UNITS_PER_MEMBER * (1 + members.length))
  return `{${members.map(([name, member]) => `${identityOf(name, meter)}:${identityOf(member, meter)}`).join()}}`
}

/**
 * Returns the keywords that replace the keywords of Ajv:
 *
 * - the cost keyword, which spends units of the meter
 * - `enum` and `const` compare own members. Ajv's comparison would call a member named `toString` or `valueOf`.
 * - `uniqueItems` runs in linear time. Ajv compares each item with every other item.
 * - `multipleOf` divides exact decimals. With binary division, 19.99 would not be a multiple of 0.01.
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
      !isUnique || new Set(items.map((item) => identityOf(item, meter))).size === items.length,
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
