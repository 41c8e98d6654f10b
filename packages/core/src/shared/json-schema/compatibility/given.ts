import canonicalize from 'canonicalize'
import { dividesExactly } from '../decimals.ts'
import { isAssertion, type Schema, type SchemaObject } from '../schema.ts'
import { memoize, type Versions } from './versions.ts'

/** Every JSON value is of exactly one kind. An integer is a number without fraction, also when it is written `1.0`. */
export type Kind = 'null' | 'boolean' | 'integer' | 'fraction' | 'string' | 'array' | 'object'
const allKinds: readonly Kind[] = ['null', 'boolean', 'integer', 'fraction', 'string', 'array', 'object']

/** Returns the kinds that a `type` keyword allows. */
const kindsOf = (type: unknown): readonly unknown[] =>
  [type].flat().flatMap((name): unknown => (name === 'number' ? ['integer', 'fraction'] : name))

const kindOf = (value: unknown): Kind => {
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'fraction'
  return value === null ? 'null' : Array.isArray(value) ? 'array' : (typeof value as Kind)
}

/** Keywords that mean something only together with another. */
export const groups: ReadonlyMap<string, string> = new Map([
  ...['patternProperties', 'additionalProperties'].map((keyword) => [keyword, 'properties'] as const),
  ...['then', 'else'].map((keyword) => [keyword, 'if'] as const),
  ['additionalItems', 'items'],
])

/**
 * Takes a schema apart, into one schema for each keyword: a value is accepted exactly if all of them accept the value. A `const`
 * becomes an `enum`, and each of the `dependencies` an `if`.
 */
export const partsOf = memoize((schema: SchemaObject): readonly SchemaObject[] => {
  const parts = new Map<string, SchemaObject>()
  const add = (part: string, keyword: string, value: unknown) => parts.set(part, { ...parts.get(part), [keyword]: value })
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === 'const') add(keyword, 'enum', [value])
    else if (keyword === 'dependencies')
      for (const [name, needs] of Object.entries(value as object)) {
        add(`needs ${name}`, 'if', { type: 'object', required: [name] })
        add(`needs ${name}`, 'then', Array.isArray(needs) ? { required: needs } : needs)
      }
    else if (isAssertion(keyword)) add(groups.get(keyword) ?? keyword, keyword, value)
  }
  return [...parts.values()]
})

/** What is known of a value, because the old version accepts it. */
export interface Given {
  /** Two that know the same have the same. */
  readonly id: string
  readonly versions: Versions
  /** The schemas that accept the value, as they were given; with those that follow from them; and all taken apart. */
  readonly terms: readonly Schema[]
  readonly schemas: readonly SchemaObject[]
  readonly parts: readonly SchemaObject[]
  /** The kinds that the value may have. None if there can be no such value. */
  readonly kinds: ReadonlySet<Kind>
  /** Every value that there can be, if the schemas list them. */
  readonly values: readonly unknown[] | undefined
  /** Returns whether the schema accepts the value, without a look at members, items and alternatives. */
  holds(schema: Schema): boolean
}

export const requiredNames = (parts: readonly SchemaObject[]): ReadonlySet<string> =>
  new Set(parts.flatMap(({ required = [] }) => required as readonly string[]))

const numbersOf = (parts: readonly SchemaObject[], keyword: string): readonly number[] =>
  parts.flatMap(({ [keyword]: number }) => (typeof number === 'number' ? [number] : []))

/** Returns the next greater double. */
const after = (end: number): number => end + Math.max(Number.MIN_VALUE, Math.abs(end) * 1.1 * 2 ** -53)

/** What bounds are about, for each kind: the end of their keywords. */
const measures: Readonly<Partial<Record<Kind, string>>> = {
  integer: 'imum',
  fraction: 'imum',
  string: 'Length',
  array: 'Items',
  object: 'Properties',
}

/** Returns the least and greatest number, length or count. */
export const rangeOf = (parts: readonly SchemaObject[], kind: Kind): readonly [min: number, max: number] => {
  const measure = measures[kind]
  const [mins, maxs] = [numbersOf(parts, `min${measure}`), numbersOf(parts, `max${measure}`)]
  if (measure !== 'imum') {
    const isObject = kind === 'object'
    const closed = isObject ? parts.filter(isClosed).map((part) => listedIn([part]).length) : []
    return [Math.max(isObject ? requiredNames(parts).size : 0, ...mins), Math.min(Number.POSITIVE_INFINITY, ...closed, ...maxs)]
  }
  const min = Math.max(-Infinity, ...mins, ...numbersOf(parts, 'exclusiveMinimum').map(after))
  const max = Math.min(Infinity, ...maxs, ...numbersOf(parts, 'exclusiveMaximum').map((end) => -after(-end)))
  return kind === 'integer' ? [Math.ceil(min), Math.floor(max)] : [min, max]
}

const ends: Readonly<Record<string, string>> = {
  min: 'at least',
  max: 'at most',
  exclusiveMin: 'more than',
  exclusiveMax: 'less than',
}
const counted: Readonly<Record<string, string>> = { Length: ' characters', Items: ' items', Properties: ' members' }

/**
 * Returns why a value that is given may break the keyword of the goal, each reason with the member that may be missing. Returns
 * `undefined` for a keyword that holds schemas.
 */
export const reasonsOf = (
  { kinds, parts }: Pick<Given, 'kinds' | 'parts'>,
  goal: SchemaObject,
): readonly (readonly [reason: string, member?: string])[] | undefined => {
  const [[keyword, value] = ['']] = Object.entries(goal)
  const list = [value].flat() as readonly string[]
  const kindsHere = [...kinds]
  const unless = (isShown: boolean, reason: string) => (isShown ? [] : [[reason] as const])
  const [, end = '', measure = ''] = /^(.*[mM](?:in|ax))(imum|Length|Items|Properties)$/.exec(keyword) ?? []
  if (measure !== '') {
    const isWithin = (kind: Kind) => {
      const [[min, max], [least, most]] = [rangeOf(parts, kind), rangeOf([goal], kind)]
      return measures[kind] !== measure || (min >= least && max <= most)
    }
    const unit = counted[measure]
    return unless(kindsHere.every(isWithin), `must now ${unit ? 'have' : 'be'} ${ends[end]} ${list[0]}${unit ?? ''}`)
  }
  switch (keyword) {
    case 'type':
      return unless(
        kindsHere.every((kind) => kindsOf(value).includes(kind)),
        `must now be of type ${list.join(' or ')}`,
      )
    case 'required':
      return kinds.has('object')
        ? list.filter((name) => !requiredNames(parts).has(name)).map((name) => ['is now required', name])
        : []
    case 'enum':
      return unless(kinds.size === 0, 'now takes only some values')
    case 'pattern':
      return unless(!kinds.has('string'), `must now match the pattern ${list[0]}`)
    case 'uniqueItems':
      return unless(
        value === false || !kinds.has('array') || rangeOf(parts, 'array')[1] <= 1,
        'must now not have the same item twice',
      )
    case 'multipleOf': {
      const divisors = [...(kinds.has('fraction') ? [] : [1]), ...numbersOf(parts, keyword)]
      const isNumber = kinds.has('integer') || kinds.has('fraction')
      const isShown = !isNumber || divisors.some((each) => dividesExactly(Number(value), each))
      return unless(isShown, `must now be a multiple of ${list[0]}`)
    }
    default:
      return undefined
  }
}

const listOf = memoize((values: readonly unknown[]) => new Map(values.map((value) => [canonicalize(value) ?? '', value])))

/** Returns what follows from the terms without trying alternatives. */
export const givenOf = (versions: Versions, terms: readonly Schema[], limit: Iterable<Kind> = allKinds): Given => {
  const { idOf } = versions
  const kinds = new Set(limit)
  const id = [[...kinds].join(), ...new Set(terms.map(idOf))].sort().join(' ')
  const known = new Set<string>()
  const [schemas, parts]: [SchemaObject[], SchemaObject[]] = [[], []]
  const remove = (isRemoved: (kind: Kind) => boolean) => {
    for (const kind of kinds) if (isRemoved(kind)) kinds.delete(kind)
  }
  const add = (given: Schema): void => {
    const schema = versions.resolve(given)
    if (schema === false) kinds.clear()
    if (typeof schema === 'boolean' || known.has(idOf(schema))) return
    known.add(idOf(schema))
    schemas.push(schema)
    for (const part of partsOf(schema)) {
      const { type, allOf = [], anyOf = [] } = part as Readonly<Record<string, readonly Schema[]>>
      known.add(idOf(part))
      parts.push(part)
      if (type !== undefined) remove((kind) => !kindsOf(type).includes(kind))
      for (const inner of anyOf.length === 1 ? anyOf : allOf) add(inner)
      if (part.not !== undefined) refuse(versions.resolve(part.not as Schema))
    }
  }
  const refuse = (schema: Schema): void => {
    known.add(`not ${idOf(schema)}`)
    const [only, ...others] = typeof schema === 'boolean' ? [] : partsOf(schema)
    if (schema === true || (schema !== false && only === undefined)) kinds.clear()
    if (only?.type !== undefined && others.length === 0) remove((kind) => kindsOf(only.type).includes(kind))
  }
  const holds = (given: Schema): boolean => {
    const schema = versions.resolve(given)
    if (typeof schema === 'boolean' || known.has(idOf(schema))) return schema !== false
    return partsOf(schema).every((part) => known.has(idOf(part)) || reasonsOf({ kinds, parts }, part)?.length === 0)
  }
  for (const term of terms) add(term)
  for (const { if: condition, then: needed = true } of parts)
    if (condition !== undefined && holds(condition as Schema)) add(needed as Schema)
  if ([...known].some((each) => known.has(`not ${each}`))) kinds.clear()
  remove((kind) => {
    const [min, max] = rangeOf(parts, kind)
    return min > max
  })
  const [first, ...others] = parts.flatMap((part) => (part.enum === undefined ? [] : [listOf(part.enum as unknown[])]))
  const few = [...kinds].every((kind) => kind === 'null' || kind === 'boolean') ? [null, false, true] : undefined
  const inAll = first && [...first].filter(([text]) => others.every((other) => other.has(text))).map(([, value]) => value)
  const values = (inAll ?? few)?.filter((value) => kinds.has(kindOf(value)))
  if (values !== undefined) remove((kind) => !values.some((value) => kindOf(value) === kind))
  return { id, versions, terms, schemas, parts, kinds, values, holds }
}

/** Adds terms to what is known. */
export const also = ({ versions, terms, kinds }: Given, ...more: readonly Schema[]): Given =>
  givenOf(versions, [...terms, ...more], kinds)

/** Returns what the part says: one of the alternatives holds, each a list of schemas. None if the part has no alternatives. */
const alternativesOf = ({ anyOf = [], oneOf, if: condition, then: met = true, else: unmet = true }: SchemaObject) => {
  if (condition !== undefined) return [[condition, met] as Schema[], [{ not: condition }, unmet] as Schema[]]
  const options = (oneOf ?? anyOf) as readonly Schema[]
  return options.map((one) => [one, ...(oneOf ? options : []).flatMap((other) => (other === one ? [] : [{ not: other }]))])
}

/** Returns the alternatives of the first part of which no alternative is known to hold yet. */
export const choiceOf = ({ parts, holds }: Given): readonly (readonly Schema[])[] | undefined =>
  parts.map(alternativesOf).find((each) => each.length > 0 && !each.some((alternative) => alternative.every(holds)))

export const patternsOf = ({ patternProperties }: SchemaObject) =>
  Object.entries((patternProperties ?? {}) as Readonly<Record<string, Schema>>)
export const additionalOf = ({ additionalProperties = true }: SchemaObject) => additionalProperties as Schema
export const isClosed = (part: SchemaObject): boolean => additionalOf(part) === false && patternsOf(part).length === 0
export const listedIn = (parts: readonly SchemaObject[]): readonly string[] => [
  ...new Set(parts.flatMap(({ properties }) => Object.keys(properties ?? {}))),
]

/** Returns the schemas that a part applies to the member of this name. */
export const memberSchemas = (part: SchemaObject, name: string, { matches }: Versions): readonly Schema[] => {
  const properties = Object.entries((part.properties ?? {}) as Readonly<Record<string, Schema>>)
  const own = properties.filter(([each]) => each === name)
  const named = [...own, ...patternsOf(part).filter(([pattern]) => matches(pattern, name))]
  return named.length > 0 ? named.map(([, schema]) => schema) : [additionalOf(part)]
}

/** Returns what is known of the member of this name. */
export const givenMember = ({ versions, parts }: Given, name: string): Given =>
  givenOf(
    versions,
    parts.flatMap((part) => memberSchemas(part, name, versions)),
  )

/** Returns what is known of members that no `properties` lists: whose name matches one pattern, or does not match others. */
export const givenUnlisted = ({ versions, parts }: Given, matched: string | undefined, unmatched: readonly string[]): Given =>
  givenOf(
    versions,
    parts.map((part) => {
      const possible = patternsOf(part).filter(([pattern]) => !unmatched.includes(pattern))
      const certain = possible.find(([pattern]) => pattern === matched)?.[1]
      return certain ?? { anyOf: [additionalOf(part), ...possible.map(([, schema]) => schema)] }
    }),
  )

/** Returns the schema that a part applies to the item at this index. */
export const itemSchema = ({ items = true, additionalItems = true }: SchemaObject, index: number): Schema =>
  (Array.isArray(items) ? (index < items.length ? items[index] : additionalItems) : items) as Schema

export const givenItem = ({ versions, parts }: Given, index: number): Given =>
  givenOf(
    versions,
    parts.map((part) => itemSchema(part, index)),
  )

/** Returns the index from which on every item obeys the same schemas. */
export const tupleLength = (parts: readonly SchemaObject[]): number =>
  Math.max(0, ...parts.map(({ items }) => (Array.isArray(items) ? items.length : 0)))
