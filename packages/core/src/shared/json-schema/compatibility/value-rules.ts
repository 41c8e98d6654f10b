import { dividesExactly } from '../decimals.ts'
import { countRange, type Given, type Kind, numberRange, numbersOf } from './given.ts'

/** The kinds of values that the keyword is about, whether the new limit is shown, and what changes else. */
type Rule = readonly [kinds: readonly Kind[], isShown: (given: Given, limit: number) => boolean, reason: string]
const numeric: readonly Kind[] = ['integer', 'fraction']
const numbers = ({ parts, kinds }: Given) => numberRange(parts, !kinds.has('fraction'))
const count = (kind: Kind, what: 'Length' | 'Items' | 'Properties', words: string): readonly (readonly [string, Rule])[] => [
  [`min${what}`, [[kind], ({ parts }, limit) => countRange(parts, what).min >= limit, `must now have at least # ${words}`]],
  [`max${what}`, [[kind], ({ parts }, limit) => countRange(parts, what).max <= limit, `must now have at most # ${words}`]],
]
const isMultiple = ({ parts, kinds }: Given, limit: number) =>
  [...(kinds.has('fraction') ? [] : [1]), ...numbersOf(parts, 'multipleOf')].some((divisor) => dividesExactly(limit, divisor))
const openMin = (given: Given, limit: number) =>
  numbers(given).min > limit || (numbers(given).min === limit && numbers(given).isMinOpen === true)
const openMax = (given: Given, limit: number) =>
  numbers(given).max < limit || (numbers(given).max === limit && numbers(given).isMaxOpen === true)

/** The keywords that only look at the value itself. A keyword that a part of what is given has as well needs no rule. */
export const valueRules: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ['enum', [[], () => false, 'now takes only some values']],
  ['const', [[], () => false, 'now takes only some values']],
  ['minimum', [numeric, (given, limit) => numbers(given).min >= limit, 'must now be at least #']],
  ['maximum', [numeric, (given, limit) => numbers(given).max <= limit, 'must now be at most #']],
  ['exclusiveMinimum', [numeric, openMin, 'must now be more than #']],
  ['exclusiveMaximum', [numeric, openMax, 'must now be less than #']],
  ['multipleOf', [numeric, isMultiple, 'must now be a multiple of #']],
  ['pattern', [['string'], () => false, 'must now match the pattern #']],
  [
    'uniqueItems',
    [
      ['array'],
      ({ parts }, isUnique: unknown) => isUnique === false || countRange(parts, 'Items').max <= 1,
      'must now not have the same item twice',
    ],
  ],
  ...count('string', 'Length', 'characters'),
  ...count('array', 'Items', 'items'),
  ...count('object', 'Properties', 'members'),
])
