import type { WorkBudget } from '../compile-schema.ts'
import type { Schema } from '../schema.ts'
import { also, choicesOf, countRange, type Given, numberRange, requiredNames } from './given.ts'
import { givenItem, givenMember, namesOf, tupleLength } from './inner-values.ts'

const [MOST_SAMPLES, MOST_LENGTH, MOST_ITEMS, UNITS_PER_SAMPLE] = [200, 1000, 60, 50]
const someTexts = ['', ...'a A 0 ab abc a1 AB 123 a-b 1.0.0 2020-01-01 a@b.example https://a.example/'.split(' ')]
const spareNames = Array.from({ length: MOST_ITEMS }, (_, index) => `other${index}`)

/** A step into a value: to the member of this name, or to the item at this index. */
export interface Step {
  readonly given: Given
  readonly key: string | number
}

type Values = Iterable<unknown>

const take = (values: Values, most: number, isGood: (value: unknown) => boolean = () => true): readonly unknown[] => {
  const taken: unknown[] = []
  for (const value of values) if (isGood(value) && taken.push(value) >= most) break
  return taken
}

/** Returns every name, number and text in a schema: its bounds, and the values that it lists. */
const scalarsIn = (part: unknown): readonly unknown[] =>
  typeof part === 'object' && part !== null
    ? Object.entries(part as Readonly<Record<string, unknown>>).flatMap(([name, inner]) => [name, inner, ...scalarsIn(inner)])
    : [part]

/** Makes values that probably meet what is given, near the bounds of both versions. */
export const createSamples = (work: WorkBudget) => {
  const known = new Map<string, readonly unknown[]>()
  /** Returns a few values. Each is made once, and none within itself, so that the work stays small. */
  const some = (given: Given): readonly unknown[] => {
    const meets = (value: unknown) => given.schemas.every(({ document, schema }) => document.accepts(schema, value) !== false)
    if (!known.has(given.id)) known.set(given.id, []).set(given.id, take(samplesOf(given, []), 4, meets))
    return known.get(given.id) ?? []
  }
  const arrayOf = (given: Given, length: number): unknown[] => {
    const { parts } = given
    const tuple = tupleLength(parts)
    const items = Array.from({ length: Math.min(length, MOST_ITEMS) }, (_, index) => {
      const values = some(givenItem(given, Math.min(index, tuple)))
      return values[index < tuple ? 0 : (index - tuple) % values.length] ?? null
    })
    const contained = parts
      .filter(({ schema }) => schema.contains !== undefined)
      .map((each) => ({ ...each, schema: each.schema.contains as Schema }))
    return contained.length === 0 ? items : [...items.slice(1), some(also(givenItem(given, 0), contained))[0] ?? null]
  }
  const objectOf = (given: Given, name?: string, least = 0): Record<string, unknown> => {
    const having = also(
      given,
      name === undefined
        ? []
        : given.parts.slice(0, 1).map((part) => ({ ...part, schema: { type: 'object', required: [name] } })),
    )
    const members = new Map<string, unknown>()
    /** A member that takes no value is left out, as in every JSON text. */
    const add = (each: string) => {
      const [value] = some(givenMember(having, each))
      if (value !== undefined) members.set(each, value)
    }
    for (const each of requiredNames(having.parts)) add(each)
    const min = Math.min(MOST_ITEMS, Math.max(least, countRange(having.parts, 'Properties').min))
    for (const other of [...namesOf(having.parts).listed, ...spareNames]) if (members.size < min) add(other)
    return Object.fromEntries(members)
  }
  function* candidates(given: Given, hints: readonly unknown[]): Generator<unknown> {
    const { parts, kinds, schemas } = given
    const own = [...hints, ...parts.flatMap(({ schema }) => Object.values(schema))]
    const near = own.flatMap((each) =>
      typeof each === 'number' ? [each, each - 1, each + 1, each - 0.5, each + 0.5, each * 2, each * 3] : [],
    )
    const texts = own.flatMap((each) => (typeof each === 'string' ? [each, each.replaceAll(/[\^$]/g, '')] : []))
    const counts = (what: 'Length' | 'Items' | 'Properties') => {
      const { min, max } = countRange(parts, what)
      return [max, min, ...near, 1, 2].filter(
        (each) => Number.isInteger(each) && each >= min && each <= max && each <= MOST_LENGTH,
      )
    }
    const { min, max } = numberRange(parts, !kinds.has('fraction'))
    const numbers = [max, min, ...near, 0, 1, 0.5, -1.5].filter((each) => each >= min && each <= max && Number.isFinite(each))
    for (const { schema } of schemas)
      yield* [...((schema.examples ?? []) as unknown[]), ...(Object.hasOwn(schema, 'default') ? [schema.default] : [])]
    if (kinds.has('string')) yield* [...counts('Length').map((length) => 'a'.repeat(length)), ...someTexts]
    if (kinds.has('integer') || kinds.has('fraction')) yield* numbers
    yield* [true, false, null].filter((each) => kinds.has(each === null ? 'null' : 'boolean'))
    if (kinds.has('object')) {
      for (const least of [0, ...counts('Properties')]) yield objectOf(given, undefined, least)
      for (const name of [...namesOf(parts).listed, ...texts, 'other']) yield objectOf(given, name)
    }
    if (kinds.has('array')) {
      for (const length of counts('Items')) yield arrayOf(given, length)
      for (const item of some(givenItem(given, 0))) yield* [arrayOf(given, 1).with(0, item), [item, item]]
    }
    yield* [...hints, ...texts]
  }
  function* samplesOf(given: Given, hints: readonly unknown[]): Generator<unknown> {
    work.units -= UNITS_PER_SAMPLE
    if (work.units < 0) return
    const [choice] = given.values === undefined ? choicesOf(given) : []
    if (choice !== undefined) for (const each of choice.slice(0, 8)) yield* take(samplesOf(also(given, each), hints), 30)
    else
      for (const value of take(given.values ?? candidates(given, hints), MOST_SAMPLES)) {
        work.units -= UNITS_PER_SAMPLE
        if (work.units < 0) return
        yield value
      }
  }
  /** Returns what is around a value at the end of the steps. */
  const shellOf = (steps: readonly Step[]) =>
    steps.reduce<(inner: unknown) => unknown>(
      (outer, { given, key }) => {
        const shell =
          typeof key === 'string' ? objectOf(given, key) : arrayOf(given, Math.max(countRange(given.parts, 'Items').min, key + 1))
        return (inner) => outer(Array.isArray(shell) ? shell.with(Number(key), inner) : { ...shell, [key]: inner })
      },
      (inner) => inner,
    )
  /** Looks for a value at the end of the steps that makes the whole value a good one. */
  return (given: Given, goal: Schema, steps: readonly Step[], isGood: (whole: unknown) => boolean) => {
    if (work.units < 0) return undefined
    const shell = shellOf(steps)
    const [found] = take(samplesOf(given, scalarsIn(goal)), 1, (value) => isGood(shell(value))).map((value) => ({
      value,
      whole: shell(value),
    }))
    return found
  }
}
