import type { Facts } from './facts.ts'

const numbersOf = (facts: Facts, keyword: string): readonly number[] =>
  facts.schemas.flatMap(({ schema }) => (typeof schema[keyword] === 'number' ? [schema[keyword]] : []))

const highest = (facts: Facts, keyword: string): number => Math.max(Number.NEGATIVE_INFINITY, ...numbersOf(facts, keyword))
const lowest = (facts: Facts, keyword: string): number => Math.min(Number.POSITIVE_INFINITY, ...numbersOf(facts, keyword))

/** A bound of a range of numbers. An exclusive bound is not itself in the range. */
export interface Bound {
  readonly at: number
  readonly isExclusive: boolean
}

const firstIntegerFrom = ({ at, isExclusive }: Bound): Bound => {
  const whole = Math.ceil(at)
  return { at: isExclusive && whole === at ? whole + 1 : whole, isExclusive: false }
}

const lastIntegerTo = ({ at, isExclusive }: Bound): Bound => {
  const whole = Math.floor(at)
  return { at: isExclusive && whole === at ? whole - 1 : whole, isExclusive: false }
}

/** Returns whether a double near the bound still changes when 1 is added. */
const isExactInteger = ({ at }: Bound): boolean => Math.abs(at) < Number.MAX_SAFE_INTEGER

/** Returns the range of numbers that the facts allow. With `onlyIntegers`, the bounds are the first and the last integer. */
export const numberBounds = (facts: Facts, onlyIntegers: boolean): { readonly from: Bound; readonly to: Bound } => {
  const [least, above] = [highest(facts, 'minimum'), highest(facts, 'exclusiveMinimum')]
  const [most, below] = [lowest(facts, 'maximum'), lowest(facts, 'exclusiveMaximum')]
  const from = { at: Math.max(least, above), isExclusive: above >= least && above !== Number.NEGATIVE_INFINITY }
  const to = { at: Math.min(most, below), isExclusive: below <= most && below !== Number.POSITIVE_INFINITY }
  return {
    from: onlyIntegers && isExactInteger(from) ? firstIntegerFrom(from) : from,
    to: onlyIntegers && isExactInteger(to) ? lastIntegerTo(to) : to,
  }
}

export const isEmptyRange = (from: Bound, to: Bound): boolean =>
  from.at > to.at || (from.at === to.at && (from.isExclusive || to.isExclusive))

/** Returns every `multipleOf` that the value must obey. */
export const divisorsOf = (facts: Facts): readonly number[] => numbersOf(facts, 'multipleOf')

/** Returns the names of the members that the value must have. */
export const requiredNames = (facts: Facts): ReadonlySet<string> =>
  new Set(facts.schemas.flatMap(({ schema }) => (Array.isArray(schema.required) ? (schema.required as string[]) : [])))

/** Returns the least and greatest length of a string, or number of items or members. */
export const countBounds = (
  facts: Facts,
  what: 'Length' | 'Items' | 'Properties',
): { readonly min: number; readonly max: number } => {
  const min = Math.max(0, highest(facts, `min${what}`))
  return { min: what === 'Properties' ? Math.max(min, requiredNames(facts).size) : min, max: lowest(facts, `max${what}`) }
}
