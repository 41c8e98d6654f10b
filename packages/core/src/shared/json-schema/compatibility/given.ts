import canonicalize from 'canonicalize'
import { dividesExactly } from '../decimals.ts'
import type { Schema, SchemaObject } from '../schema.ts'
import { type Located, memoize, partsOf } from './document.ts'

/** Every JSON value is of exactly one kind. An integer is a number without fraction, also when it is written `1.0`. */
export type Kind = 'null' | 'boolean' | 'integer' | 'fraction' | 'string' | 'array' | 'object'
const allKinds: readonly Kind[] = ['null', 'boolean', 'integer', 'fraction', 'string', 'array', 'object']

/** Returns the kinds that a `type` keyword allows. */
export const kindsOf = (type: unknown): readonly Kind[] =>
  [type].flat().flatMap((name): readonly Kind[] => (name === 'number' ? ['integer', 'fraction'] : [name as Kind]))

const kindOf = (value: unknown): Kind => {
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'fraction'
  return value === null ? 'null' : Array.isArray(value) ? 'array' : (typeof value as Kind)
}

/** A schema that accepts the value, or refuses the value. */
export interface Term extends Located {
  readonly isRefusing?: boolean
}

/** A schema with one keyword, or with keywords that mean something only together. */
export type Part = Located<SchemaObject>

/** What is known of a value, because the old version accepts it. */
export interface Given {
  /** Two that know the same have the same. */
  readonly id: string
  readonly terms: readonly Term[]
  /** The kinds that the value may have. None if there can be no such value. */
  readonly kinds: ReadonlySet<Kind>
  /** Every value that there can be, if the schemas list them. */
  readonly values: readonly unknown[] | undefined
  /** The schemas that accept the value, and their parts. */
  readonly schemas: readonly Part[]
  readonly parts: readonly Part[]
  readonly refusing: readonly Term[]
  /** Returns whether the term is among those that are known to hold. */
  holds(term: Term): boolean
}

const idOf = ({ document, schema, isRefusing }: Term): string => (isRefusing ? '-' : '') + document.idOf(document.resolve(schema))

const listOf = memoize(
  (part: SchemaObject) => new Map(((part.enum ?? [part.const]) as unknown[]).map((value) => [canonicalize(value) ?? '', value])),
)

/** Returns what follows from the terms without trying alternatives. */
export const givenOf = (terms: readonly Term[], limit: Iterable<Kind> = allKinds): Given => {
  const kinds = new Set(limit)
  const id = [[...kinds].join(), ...new Set(terms.map(idOf))].sort().join(' ')
  const known = new Set<string>()
  const [schemas, parts, refusing]: [Part[], Part[], Term[]] = [[], [], []]
  const keepKinds = (kept: readonly Kind[]) => {
    for (const kind of kinds) if (!kept.includes(kind)) kinds.delete(kind)
  }
  const add = ({ document, schema: given, isRefusing = false }: Term): void => {
    const term = { document, schema: document.resolve(given), isRefusing }
    const { schema } = term
    if (schema === isRefusing) kinds.clear()
    if (typeof schema === 'boolean' || known.has(idOf(term))) return
    known.add(idOf(term))
    if (known.has(idOf({ ...term, isRefusing: !isRefusing }))) kinds.clear()
    const own = partsOf(schema)
    if (isRefusing) {
      refusing.push(term)
      const [only] = own
      if (only === undefined) kinds.clear()
      if (own.length !== 1) return
      for (const kind of only?.type === undefined ? [] : kindsOf(only.type)) kinds.delete(kind)
      for (const option of (only?.anyOf ?? []) as Schema[]) add({ document, schema: option, isRefusing })
      if (only?.not !== undefined) add({ document, schema: only.not as Schema })
      return
    }
    schemas.push({ document, schema })
    for (const part of own) {
      known.add(document.idOf(part))
      parts.push({ document, schema: part })
      if (part.type !== undefined) keepKinds(kindsOf(part.type))
      for (const inner of (part.allOf ?? []) as Schema[]) add({ document, schema: inner })
      if (part.not !== undefined) add({ document, schema: part.not as Schema, isRefusing: true })
    }
  }
  for (const term of terms) add(term)
  if (kinds.size === 1 && kinds.has('object')) {
    const required = requiredNames(parts)
    for (const { document, schema } of parts) {
      for (const [name, dependency] of Object.entries((schema.dependencies ?? {}) as Record<string, Schema | string[]>)) {
        if (required.has(name)) add({ document, schema: Array.isArray(dependency) ? { required: dependency } : dependency })
      }
    }
  }
  for (const kind of kinds) if (!isWithinBounds(parts, kind)) kinds.delete(kind)

  const [first, ...others] = parts.flatMap(({ schema }) =>
    (schema.enum ?? Object.hasOwn(schema, 'const')) ? [listOf(schema)] : [],
  )
  const few = [...kinds].every((kind) => kind === 'null' || kind === 'boolean') ? [null, false, true] : undefined
  const inAll = first && [...first].filter(([text]) => others.every((other) => other.has(text))).map(([, value]) => value)
  const values = (inAll ?? few)?.filter((value) => kinds.has(kindOf(value)))
  if (values !== undefined) keepKinds(values.map(kindOf))
  const holds = (term: Term) => term.document.resolve(term.schema) === !term.isRefusing || known.has(idOf(term))
  return { id, terms, kinds, values, schemas, parts, refusing, holds }
}

/** Adds terms to what is known. */
export const also = ({ terms, kinds }: Given, more: readonly Term[]): Given => givenOf([...terms, ...more], kinds)

/** Returns what the part says: one of the alternatives holds, each a list of terms. None if the part has no alternatives. */
const alternativesOf = ({ document, schema }: Part): readonly (readonly Term[])[] => {
  const term = (inner: unknown, isRefusing = false): Term => ({ document, schema: (inner ?? true) as Schema, isRefusing })
  const { anyOf, oneOf } = schema as Readonly<Record<string, readonly Schema[] | undefined>>
  if (oneOf) return oneOf.map((one, at) => [term(one), ...oneOf.toSpliced(at, 1).map((other) => term(other, true))])
  if (anyOf) return anyOf.map((option) => [term(option)])
  return schema.if === undefined
    ? []
    : [
        [term(schema.if), term(schema.then)],
        [term(schema.if, true), term(schema.else)],
      ]
}

/** Returns the alternatives of each part of which no alternative is known to hold yet. */
export const choicesOf = ({ parts, holds }: Given): readonly (readonly (readonly Term[])[])[] =>
  parts.map(alternativesOf).filter((each) => each.length > 0 && !each.some((alternative) => alternative.every(holds)))

export const numbersOf = (parts: readonly Part[], keyword: string): readonly number[] =>
  parts.flatMap(({ schema }) => (typeof schema[keyword] === 'number' ? [schema[keyword]] : []))

export const requiredNames = (parts: readonly Part[]): ReadonlySet<string> =>
  new Set(parts.flatMap(({ schema }) => (schema.required ?? []) as readonly string[]))

/** A range of numbers, lengths or counts. An open end is not itself in the range. */
export interface Range {
  readonly min: number
  readonly max: number
  readonly isMinOpen?: boolean
  readonly isMaxOpen?: boolean
}

/** Returns the range of numbers. Where only integers are possible, the ends are the first and the last of them. */
export const numberRange = (parts: readonly Part[], isInteger: boolean): Range => {
  const [least, above, most, below] = [
    Math.max(Number.NEGATIVE_INFINITY, ...numbersOf(parts, 'minimum')),
    Math.max(Number.NEGATIVE_INFINITY, ...numbersOf(parts, 'exclusiveMinimum')),
    Math.min(Number.POSITIVE_INFINITY, ...numbersOf(parts, 'maximum')),
    Math.min(Number.POSITIVE_INFINITY, ...numbersOf(parts, 'exclusiveMaximum')),
  ]
  const [min, max] = [Math.max(least, above), Math.min(most, below)]
  const [isMinOpen, isMaxOpen] = [above >= least && Number.isFinite(above), below <= most && Number.isFinite(below)]
  // Beyond the safe integers, a double does not change when 1 is added.
  const [isMinExact, isMaxExact] = [min, max].map((end) => isInteger && Math.abs(end) < Number.MAX_SAFE_INTEGER)
  return {
    min: isMinExact ? (isMinOpen ? Math.floor(min) + 1 : Math.ceil(min)) : min,
    max: isMaxExact ? (isMaxOpen ? Math.ceil(max) - 1 : Math.floor(max)) : max,
    isMinOpen: isMinOpen && !isMinExact,
    isMaxOpen: isMaxOpen && !isMaxExact,
  }
}

/** Returns the least and greatest length of a string, or number of items or members. */
export const countRange = (parts: readonly Part[], what: 'Length' | 'Items' | 'Properties'): Range => {
  const isObject = what === 'Properties'
  const closed = isObject ? parts.filter(isClosed).map(({ schema }) => Object.keys(schema.properties ?? {}).length) : []
  const min = Math.max(isObject ? requiredNames(parts).size : 0, ...numbersOf(parts, `min${what}`))
  return { min, max: Math.min(Number.POSITIVE_INFINITY, ...closed, ...numbersOf(parts, `max${what}`)) }
}

const counted = { string: 'Length', array: 'Items', object: 'Properties' } as const

const isWithinBounds = (parts: readonly Part[], kind: Kind): boolean => {
  if (kind === 'null' || kind === 'boolean') return true
  if (kind === 'fraction' && numbersOf(parts, 'multipleOf').some((divisor) => dividesExactly(1, divisor))) return false
  const isNumber = kind === 'integer' || kind === 'fraction'
  const { min, max, isMinOpen, isMaxOpen } = isNumber ? numberRange(parts, kind === 'integer') : countRange(parts, counted[kind])
  return min < max || (min === max && !isMinOpen && !isMaxOpen)
}

export const patternsOf = ({ schema }: Part) => Object.entries((schema.patternProperties ?? {}) as Record<string, Schema>)
export const additionalOf = ({ schema }: Part) => (schema.additionalProperties ?? true) as Schema
export const isClosed = (part: Part): boolean => additionalOf(part) === false && patternsOf(part).length === 0
