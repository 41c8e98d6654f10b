import { dividesExactly } from '../decimals.ts'
import type { Fact, Facts, Kind, Known } from './known.ts'
import { kinds } from './known.ts'

const numbersOf = (facts: Facts, keyword: string): readonly number[] =>
  facts.schemas.flatMap(({ schema }) => (typeof schema[keyword] === 'number' ? [schema[keyword]] : []))

const highest = (facts: Facts, keyword: string): number => Math.max(Number.NEGATIVE_INFINITY, ...numbersOf(facts, keyword))
const lowest = (facts: Facts, keyword: string): number => Math.min(Number.POSITIVE_INFINITY, ...numbersOf(facts, keyword))

/** A bound of numbers; where it is open, it is not itself within. */
export interface Bound {
  readonly at: number
  readonly isOpen: boolean
}

const wholeFrom = ({ at, isOpen }: Bound): Bound => {
  const whole = Math.ceil(at)
  return { at: isOpen && whole === at ? whole + 1 : whole, isOpen: false }
}

const wholeTo = ({ at, isOpen }: Bound): Bound => {
  const whole = Math.floor(at)
  return { at: isOpen && whole === at ? whole - 1 : whole, isOpen: false }
}

/** Beyond, adding 1 to a number may not change it. */
const isCountable = ({ at }: Bound): boolean => Math.abs(at) < Number.MAX_SAFE_INTEGER

/** The numbers that may be, from and to; of integers alone, the least and the greatest. */
export const numberBounds = (facts: Facts, onlyIntegers: boolean): { readonly from: Bound; readonly to: Bound } => {
  const [least, above] = [highest(facts, 'minimum'), highest(facts, 'exclusiveMinimum')]
  const [most, below] = [lowest(facts, 'maximum'), lowest(facts, 'exclusiveMaximum')]
  const from = { at: Math.max(least, above), isOpen: above >= least && above !== Number.NEGATIVE_INFINITY }
  const to = { at: Math.min(most, below), isOpen: below <= most && below !== Number.POSITIVE_INFINITY }
  return {
    from: onlyIntegers && isCountable(from) ? wholeFrom(from) : from,
    to: onlyIntegers && isCountable(to) ? wholeTo(to) : to,
  }
}

const isEmpty = (from: Bound, to: Bound): boolean => from.at > to.at || (from.at === to.at && (from.isOpen || to.isOpen))

export const divisorsOf = (facts: Facts): readonly number[] => numbersOf(facts, 'multipleOf')

export const requiredOf = (facts: Facts): ReadonlySet<string> =>
  new Set(facts.schemas.flatMap(({ schema }) => (Array.isArray(schema.required) ? (schema.required as string[]) : [])))

/** How long, or how many, at least and at most. */
export const countBounds = (
  facts: Facts,
  what: 'Length' | 'Items' | 'Properties',
): { readonly min: number; readonly max: number } => {
  const min = Math.max(0, highest(facts, `min${what}`))
  return { min: what === 'Properties' ? Math.max(min, requiredOf(facts).size) : min, max: lowest(facts, `max${what}`) }
}

const kindsOfType: Readonly<Record<string, readonly Kind[]>> = {
  null: ['null'],
  boolean: ['boolean'],
  integer: ['integer'],
  number: ['integer', 'fraction'],
  string: ['string'],
  array: ['array'],
  object: ['object'],
}

/** The kinds that `type` allows. */
export const kindsOf = (type: unknown): ReadonlySet<Kind> =>
  type === undefined ? new Set(kinds) : new Set([type].flat().flatMap((name) => kindsOfType[String(name)] ?? []))

const isPossible = (kind: Kind, facts: Facts): boolean => {
  switch (kind) {
    case 'integer':
    case 'fraction': {
      const { from, to } = numberBounds(facts, kind === 'integer')
      return !isEmpty(from, to) && !(kind === 'fraction' && divisorsOf(facts).some((divisor) => dividesExactly(1, divisor)))
    }
    case 'string':
    case 'array':
    case 'object': {
      const { min, max } = countBounds(facts, kind === 'string' ? 'Length' : kind === 'array' ? 'Items' : 'Properties')
      return min <= max
    }
    case 'boolean':
    case 'null':
      return true
  }
}

const onlyType = ({ schema }: Pick<Fact, 'schema'>): unknown =>
  Object.keys(schema).length === 1 && schema.type !== undefined ? schema.type : undefined

const possibleBefore = new WeakMap<Known, ReadonlySet<Kind>>()

/** The kinds that a value may be of. More than it can really be is never wrong here, fewer would be. */
export const possibleKinds = (known: Known, facts: Facts): ReadonlySet<Kind> => {
  const kinds = possibleBefore.get(known) ?? findKinds(known, facts)
  possibleBefore.set(known, kinds)
  return kinds
}

const findKinds = (known: Known, facts: Facts): ReadonlySet<Kind> => {
  if (facts.isNever) return new Set()
  const excluded = facts.refusing.flatMap(({ document, schema }) => {
    const resolved = document.resolve(schema)
    const type = typeof resolved === 'boolean' ? undefined : onlyType({ schema: resolved })
    return type === undefined ? [] : [...kindsOf(type)]
  })
  const allowed = facts.schemas.map(({ schema }) => kindsOf(schema.type))
  return new Set(
    [...known.kinds].filter(
      (kind) => allowed.every((set) => set.has(kind)) && !excluded.includes(kind) && isPossible(kind, facts),
    ),
  )
}
