import { _, type FuncKeywordDefinition } from 'ajv'
import { digitsToDivide, dividesExactly } from './decimals.ts'
import { isAmong } from './listed-values.ts'
import type { Meter } from './meter.ts'
import { type Cost, METER_KEYWORD } from './metered.ts'

const CHARACTERS_A_UNIT = 8
const UNITS_A_MEMBER = 6
const DIGITS_A_UNIT = 6

/** A text that two JSON values share exactly where they are equal; what it costs is told to the meter as it grows. */
const identityOf = (value: unknown, meter: Meter): string => {
  if (typeof value === 'string') {
    meter.spend(1 + value.length / CHARACTERS_A_UNIT)
    return JSON.stringify(value)
  }
  meter.spend(1)
  if (typeof value !== 'object' || value === null) return String(value)
  if (Array.isArray(value)) return `[${value.map((item) => identityOf(item, meter)).join()}]`
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  meter.spend(UNITS_A_MEMBER * (1 + members.length))
  return `{${members.map(([name, member]) => `${identityOf(name, meter)}:${identityOf(member, meter)}`).join()}}`
}

/**
 * The keywords that the validator gets from here:
 *
 * - the meter's, which every schema has;
 * - `enum` and `const` by own members: the validator's own comparison calls a member named `toString` or `valueOf`;
 * - `uniqueItems` in linear time, where the validator's own compares each item with each;
 * - `multipleOf` by exact decimals: 19.99 is a multiple of 0.01, which binary division denies.
 */
export const ownKeywords = (meter: Meter): readonly FuncKeywordDefinition[] => [
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
    validate: (isAsked: boolean, items: readonly unknown[]) =>
      !isAsked || new Set(items.map((item) => identityOf(item, meter))).size === items.length,
  },
  {
    keyword: 'multipleOf',
    type: 'number',
    schemaType: 'number',
    error: { params: ({ schemaCode }) => _`{ multipleOf: ${schemaCode} }`, message: '' },
    validate: (divisor: number, value: number) => {
      meter.spend(digitsToDivide(divisor, value) / DIGITS_A_UNIT)
      return dividesExactly(divisor, value)
    },
  },
]
