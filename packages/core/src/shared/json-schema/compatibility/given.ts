import canonicalize from 'canonicalize'
import { isAssertion, type Schema, type SchemaObject } from '../../draft-07.ts'
import { memoize } from '../../memoize.ts'
import { demandOf } from '../complaints.ts'
import { dividesExactly } from '../decimals.ts'
import type { Versions } from './versions.ts'

/** Every JSON value is of exactly one kind. An integer is a number without fraction, also when it is written `1.0`. */
const allKinds = ['null', 'boolean', 'integer', 'fraction', 'string', 'array', 'object'] as const
export type Kind = (typeof allKinds)[number]
type Parts = readonly SchemaObject[]
type Range = readonly [min: number, max: number]
type Texts = Readonly<Record<string, string>>

/** Returns the kinds that a `type` keyword allows. */
const kindsOf = (type: unknown): readonly unknown[] =>
  [type].flat().flatMap((name): unknown => (name === 'number' ? ['integer', 'fraction'] : name))

const kindOf = (value: unknown): Kind => {
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'fraction'
  return value === null ? 'null' : Array.isArray(value) ? 'array' : (typeof value as Kind)
}

/** Returns the first of the keywords that mean something only together. */
export const leaderOf = (keyword: string): string => {
  if (/^(then|else)$/.test(keyword)) return 'if'
  return keyword.replace(/^(pattern|additional)Properties$/, 'properties').replace('additionalItems', 'items')
}

/** Takes a schema apart, into one for each keyword; a `const` becomes an `enum`, and each of the `dependencies` an `if`. */
export const partsOf = memoize((schema: SchemaObject): Parts => {
  const parts = new Map<string, SchemaObject>()
  const add = (part: string, keyword: string, value: unknown) => parts.set(part, { ...parts.get(part), [keyword]: value })
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === 'const') add(keyword, 'enum', [value])
    else if (keyword === 'dependencies')
      for (const [name, needs] of Object.entries(value as object)) {
        add(`needs ${name}`, 'if', { type: 'object', required: [name] })
        add(`needs ${name}`, 'then', Array.isArray(needs) ? { required: needs } : needs)
      }
    else if (isAssertion(keyword)) add(leaderOf(keyword), keyword, value)
  }
  return [...parts.values()]
})

/** The facts that are known of a value, because the old version accepts it. */
export interface Given {
  /** Equal facts have equal ids. */
  readonly id: string
  readonly versions: Versions
  /** The schemas that accept the value: the given schemas, the schemas that follow from them, and the parts of both. */
  readonly terms: readonly Schema[]
  readonly schemas: Parts
  readonly parts: Parts
  /** The kinds that the value may have, none if there can be no such value; and every value, if the schemas list them. */
  readonly kinds: ReadonlySet<Kind>
  readonly values: readonly unknown[] | undefined
  /** The names of `required` and of `properties`, and the index from which on every item obeys the same schemas. */
  readonly required: ReadonlySet<string>
  readonly listed: ReadonlySet<string>
  readonly tuple: number
  /** Returns the least and greatest number, length or count. */
  range(kind: Kind): Range
  /** Returns whether the schema accepts the value, without a look at members, items and alternatives. */
  holds(schema: Schema): boolean
  /** Returns what else is known if other schemas accept the value too, or if the value is of a kind. */
  also(...more: readonly Schema[]): Given
  ofKind(kind: Kind): Given
  /** Returns the facts about a member, about members that no schema lists (of a pattern, or not of others), and about an item. */
  member(name: string): Given
  unlisted(pattern: string, others: readonly string[]): Given
  item(index: number): Given
}

const numbersOf = (parts: Parts, keyword: string): readonly number[] =>
  parts.flatMap(({ [keyword]: number }) => (typeof number === 'number' ? [number] : []))
const namesOf = (parts: Parts) => new Set(parts.flatMap(({ required = [] }) => required as readonly string[]))

/** The end of the keywords for bounds, for each kind, such as `minLength` and `maxLength` of a string. */
const measures: Texts = { integer: 'imum', fraction: 'imum', string: 'Length', array: 'Items', object: 'Properties' }

/** Returns the next greater double. */
const after = (end: number): number => end + Math.max(Number.MIN_VALUE, Math.abs(end) * 1.1 * 2 ** -53)

const rangeOf = (parts: Parts, kind: Kind): Range => {
  const isNumber = measures[kind] === 'imum'
  const [above, below] = isNumber ? ['exclusiveMinimum', 'exclusiveMaximum'] : ['', '']
  const least = isNumber ? Number.NEGATIVE_INFINITY : kind === 'object' ? namesOf(parts).size : 0
  const min = Math.max(least, ...numbersOf(parts, `min${measures[kind]}`), ...numbersOf(parts, above).map(after))
  const maxs = [...numbersOf(parts, `max${measures[kind]}`), ...numbersOf(parts, below).map((end) => -after(-end))]
  const max = Math.min(Number.POSITIVE_INFINITY, ...maxs)
  return kind === 'integer' ? [Math.ceil(min), Math.floor(max)] : [min, max]
}

/** Returns why a given value may break a keyword, with the member that may be missing; `undefined` for a keyword with schemas. */
export const reasonsOf = ({ kinds, parts }: Pick<Given, 'kinds' | 'parts'>, goal: SchemaObject) => {
  const [[keyword, value] = ['']] = Object.entries(goal)
  const list = [value].flat().filter((each) => typeof each === 'string')
  const isShown = (kind: Kind): boolean => {
    if (keyword === 'type') return kindsOf(value).includes(kind)
    if (keyword === 'pattern') return kind !== 'string'
    if (keyword === 'uniqueItems') return kind !== 'array' || value === false
    if (keyword === 'multipleOf') {
      const divisors = kind === 'integer' ? [1, ...numbersOf(parts, keyword)] : numbersOf(parts, keyword)
      return measures[kind] !== 'imum' || divisors.some((each) => dividesExactly(Number(value), each))
    }
    if (!keyword.endsWith(measures[kind] ?? '?')) return keyword !== 'enum'
    const [[min, max], [least, most]] = [rangeOf(parts, kind), rangeOf([goal], kind)]
    return min >= least && max <= most
  }
  if (keyword === 'required') {
    const missing = kinds.has('object') ? list.filter((name) => !namesOf(parts).has(name)) : []
    return missing.map((name) => ({ reason: 'is now required', name }))
  }
  const demand = keyword === 'type' ? `be of type ${list.join(' or ')}` : demandOf(keyword, value)
  if (demand === undefined && keyword !== 'enum') return undefined
  const reason = demand === undefined ? 'now takes only some values' : `must now ${demand}`
  return [...kinds].every(isShown) ? [] : [{ reason, name: undefined }]
}

const listOf = memoize((values: readonly unknown[]) => new Map(values.map((value) => [canonicalize(value) ?? '', value])))
const patternsOf = ({ patternProperties = {} }: SchemaObject) =>
  Object.entries(patternProperties as Readonly<Record<string, Schema>>)

/** Returns what follows from the terms without trying alternatives. */
export const givenOf = (versions: Versions, terms: readonly Schema[], limit: Iterable<Kind> = allKinds): Given => {
  const { idOf, resolve } = versions
  const kinds = new Set(limit)
  const id = [[...kinds].join(), ...new Set(terms.map(idOf))].sort().join(' ')
  const known = new Set<string>()
  const [schemas, parts]: [SchemaObject[], SchemaObject[]] = [[], []]
  const remove = (isRemoved: (kind: Kind) => boolean) => {
    for (const kind of kinds) if (isRemoved(kind)) kinds.delete(kind)
  }
  const add = (given: Schema): void => {
    const schema = resolve(given)
    if (schema === false) kinds.clear()
    if (typeof schema === 'boolean' || known.has(idOf(schema))) return
    known.add(idOf(schema))
    schemas.push(schema)
    for (const part of partsOf(schema)) {
      const { allOf = [], anyOf = [], not = false } = part as Readonly<Record<string, readonly Schema[]>> & { not?: Schema }
      known.add(idOf(part)).add(`not ${idOf(not)}`)
      parts.push(part)
      const [only, ...others] = refusedBy(resolve(not))
      if (part.type !== undefined) remove((kind) => !kindsOf(part.type).includes(kind))
      if (others.length === 0) remove((kind) => only === undefined || kindsOf(only.type).includes(kind))
      for (const inner of anyOf.length === 1 ? anyOf : allOf) add(inner)
    }
  }
  const refusedBy = (schema: Schema): Parts => (schema === false ? [{}] : schema === true ? [] : partsOf(schema))
  const holds = (given: Schema): boolean => {
    const schema = resolve(given)
    if (typeof schema === 'boolean' || known.has(idOf(schema))) return schema !== false
    return partsOf(schema).every((part) => known.has(idOf(part)) || reasonsOf({ kinds, parts }, part)?.length === 0)
  }
  for (const term of terms) add(term)
  for (const part of parts) if (part.if !== undefined && holds(part.if as Schema)) add((part.then ?? true) as Schema)
  if ([...known].some((each) => known.has(`not ${each}`))) kinds.clear()
  remove((kind) => {
    const [min, max] = measures[kind] === undefined ? [0, 0] : rangeOf(parts, kind)
    return min > max
  })
  const [first, ...others] = parts.flatMap((part) => (part.enum === undefined ? [] : [listOf(part.enum as unknown[])]))
  const few = [...kinds].every((kind) => kind === 'null' || kind === 'boolean') ? [null, false, true] : undefined
  const inAll = first && [...first].filter(([text]) => others.every((other) => other.has(text))).map(([, value]) => value)
  const values = (inAll ?? few)?.filter((value) => kinds.has(kindOf(value)))
  if (values !== undefined) remove((kind) => !values.some((value) => kindOf(value) === kind))
  const inner = (schemaOf: (part: SchemaObject) => unknown) => givenOf(versions, parts.map(schemaOf) as Schema[])
  return {
    ...{ id, versions, terms, schemas, parts, kinds, values, holds, required: namesOf(parts) },
    listed: new Set(parts.flatMap(({ properties = {} }) => Object.keys(properties as object))),
    tuple: Math.max(0, ...parts.map(({ items }) => (Array.isArray(items) ? items.length : 0))),
    range: (kind) => rangeOf(parts, kind),
    also: (...more) => givenOf(versions, [...terms, ...more], kinds),
    ofKind: (kind) => givenOf(versions, terms, [kind]),
    member: (name) =>
      inner((part) => {
        const named = Object.entries(part.properties ?? {}).filter(([each]) => each === name)
        const all = [...named, ...patternsOf(part).filter(([pattern]) => versions.matches(pattern, name))]
        return all.length > 0 ? { allOf: all.map(([, schema]) => schema as Schema) } : (part.additionalProperties ?? true)
      }),
    unlisted: (pattern, others) =>
      inner((part) => {
        const possible = patternsOf(part).filter(([each]) => !others.includes(each))
        const additional = part.additionalProperties ?? true
        const either = possible.length === 0 ? additional : { anyOf: [additional, ...possible.map(([, schema]) => schema)] }
        return possible.find(([each]) => each === pattern)?.[1] ?? either
      }),
    item: (index) =>
      inner(({ items = true, additionalItems }) => (Array.isArray(items) ? (items[index] ?? additionalItems ?? true) : items)),
  }
}

/** Returns the alternatives of the first undecided part, each as a list of schemas. */
export const choiceOf = ({ parts, holds }: Given): readonly (readonly Schema[])[] | undefined => {
  const alternatives = parts.map(({ anyOf = [], oneOf = anyOf, if: condition, then: met = true, else: unmet = true }) => {
    if (condition === undefined) return (oneOf as Schema[]).map((option) => [option])
    return [[condition, met] as Schema[], [{ not: condition }, unmet] as Schema[]]
  })
  return alternatives.find((each) => each.length > 0 && !each.some((alternative) => alternative.every(holds)))
}
