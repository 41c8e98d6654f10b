import type { Schema } from '../../draft-07.ts'
import type { WorkBudget } from '../compile-schema.ts'
import { choiceOf, type Given, type Kind } from './given.ts'

/** A change for which no rule shows that the new version still accepts every value. */
export interface Suspect {
  readonly field: string
  /** The steps from the whole value to this one: to the member of a name, or to the item at an index. */
  readonly steps: readonly { readonly given: Given; readonly key: string | number }[]
  readonly reason: string
  readonly given: Given
  readonly goal: Schema
}

const [MOST_SAMPLES, MOST_LENGTH, MOST_ITEMS, UNITS_PER_GIVEN, UNITS_PER_SAMPLE] = [200, 1000, 60, 500, 50]
const someTexts = ['', ...'a A 0 ab abc a1 AB 123 a-b 1.0.0 2020-01-01 a@b.example https://a.example/'.split(' ')]
const spareNames = Array.from({ length: MOST_ITEMS }, (_, index) => `other${index}`)

function* take<V>(values: Iterable<V>, most: number, isGood: (value: V) => boolean = () => true): Generator<V> {
  let left = most
  for (const value of left > 0 ? values : []) {
    if (!isGood(value)) continue
    yield value
    left -= 1
    if (left === 0) return
  }
}

/** Returns every name, number and text in a schema: its bounds, and the values that it lists. */
const scalarsIn = (part: unknown): readonly unknown[] =>
  typeof part === 'object' && part !== null
    ? Object.entries(part as Readonly<Record<string, unknown>>).flatMap(([name, inner]) => [name, inner, ...scalarsIn(inner)])
    : [part]

/** Returns a function that looks for a value at the place of a suspect that makes the whole value valid. */
export const createSearch = (work: WorkBudget) => {
  const known = new Map<string, readonly unknown[]>()
  /** Returns a few values. Each is made once, and none within itself, so that the work stays small. */
  const some = (given: Given): readonly unknown[] => {
    const { id, schemas, versions } = given
    const isAccepted = (value: unknown) => schemas.every((schema) => versions.accepts(schema, value) !== false)
    if (!known.has(id)) known.set(id, []).set(id, [...take(samplesOf(given, []), 4, isAccepted)])
    return known.get(id) ?? []
  }
  const arrayOf = (given: Given, length: number): unknown[] =>
    Array.from({ length: Math.min(length, MOST_ITEMS) }, (_, index) => {
      const contained = given.parts.flatMap(({ contains = [] }) => contains as Schema | readonly Schema[])
      const values = some(index === length - 1 ? given.item(index).also(...contained) : given.item(index))
      return values[Math.max(0, index - given.tuple) % values.length] ?? null
    })
  /** Makes an object with the member of a name. A member without a possible value is left out, as in every JSON text. */
  const objectOf = (given: Given, names: readonly string[], least = 0): Record<string, unknown> => {
    const having = given.also({ type: 'object', required: names })
    const min = Math.min(MOST_ITEMS, Math.max(least, having.range('object')[0]))
    const members = new Map<string, unknown>()
    for (const name of [...having.required, ...having.listed, ...spareNames]) {
      const [value] = members.size < min || having.required.has(name) ? some(having.member(name)) : []
      if (value !== undefined) members.set(name, value)
    }
    return Object.fromEntries(members)
  }
  function* candidates(given: Given, hints: readonly unknown[]): Generator<unknown> {
    const { parts, kinds, schemas } = given
    const own = [...hints, ...parts.flatMap((part) => Object.values(part))]
    const near = own.flatMap((each) =>
      typeof each === 'number' ? [0, -1, 1, -0.5, 0.5, each, 2 * each].map((by) => each + by) : [],
    )
    const texts = own.flatMap((each) => (typeof each === 'string' ? [each, each.replaceAll(/[\^$]/g, '')] : []))
    const numbers = (kind: Kind) => {
      const [min, max] = given.range(kind)
      return [max, min, ...near, 0, 1, 2, 0.5, -1.5].filter((each) => each >= min && each <= max && Number.isFinite(each))
    }
    const counts = (kind: Kind) => numbers(kind).filter((each) => Number.isInteger(each) && each >= 0 && each <= MOST_LENGTH)
    for (const { examples = [], default: usual } of schemas)
      yield* [...(examples as unknown[]), ...(usual === undefined ? [] : [usual])]
    if (kinds.has('string')) yield* [...counts('string').map((length) => 'a'.repeat(length)), ...someTexts]
    for (const kind of kinds) if (kind === 'integer' || kind === 'fraction') yield* numbers(kind)
    yield* [true, false, null].filter((each) => kinds.has(each === null ? 'null' : 'boolean'))
    if (kinds.has('object')) {
      for (const least of [0, ...counts('object')]) yield objectOf(given, [], least)
      for (const name of [...given.listed, ...texts, 'other']) yield objectOf(given, [name])
    }
    if (kinds.has('array')) {
      for (const length of counts('array')) yield arrayOf(given, length)
      for (const item of some(given.item(0))) yield* [[item], [item, item]]
    }
    yield* [...hints, ...texts]
  }
  function* samplesOf(given: Given, hints: readonly unknown[]): Generator<unknown> {
    work.units -= UNITS_PER_GIVEN
    const choice = given.values === undefined && work.units > 0 ? choiceOf(given) : undefined
    for (const each of choice?.slice(0, 8) ?? []) yield* take(samplesOf(given.also(...each), hints), 30)
    for (const value of choice ? [] : take(given.values ?? candidates(given, hints), MOST_SAMPLES)) {
      work.units -= UNITS_PER_SAMPLE
      if (work.units < 0) return
      yield value
    }
  }
  return ({ given, goal, steps }: Suspect, isGood: (whole: unknown) => boolean) => {
    const around = steps.reduce<(inner: unknown) => unknown>(
      (outer, { given: holder, key }) => {
        const least = typeof key === 'number' ? Math.max(holder.range('array')[0], key + 1) : 0
        const shell = typeof key === 'number' ? arrayOf(holder, least) : objectOf(holder, [key])
        return (inner) => outer(Array.isArray(shell) ? shell.with(Number(key), inner) : { ...shell, [key]: inner })
      },
      (inner) => inner,
    )
    const [found] = take(samplesOf(given, scalarsIn(goal)), work.units < 0 ? 0 : 1, (value) => isGood(around(value)))
    return found === undefined ? undefined : { value: found, whole: around(found) }
  }
}
