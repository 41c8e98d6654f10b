import type { WorkBudget } from '../compile-schema.ts'
import type { Schema } from '../schema.ts'
import {
  also,
  choiceOf,
  type Given,
  givenItem,
  givenMember,
  type Kind,
  listedIn,
  rangeOf,
  requiredNames,
  tupleLength,
} from './given.ts'
import type { Suspect } from './rules.ts'

const [MOST_SAMPLES, MOST_LENGTH, MOST_ITEMS, UNITS_PER_SAMPLE] = [200, 1000, 60, 50]
const someTexts = ['', ...'a A 0 ab abc a1 AB 123 a-b 1.0.0 2020-01-01 a@b.example https://a.example/'.split(' ')]
const spareNames = Array.from({ length: MOST_ITEMS }, (_, index) => `other${index}`)

const take = (values: Iterable<unknown>, most: number, isGood: (value: unknown) => boolean): readonly unknown[] => {
  const taken: unknown[] = []
  for (const value of values) if (isGood(value) && taken.push(value) >= most) break
  return taken
}

/** Returns every name, number and text in a schema: its bounds, and the values that it lists. */
const scalarsIn = (part: unknown): readonly unknown[] =>
  typeof part === 'object' && part !== null
    ? Object.entries(part as Readonly<Record<string, unknown>>).flatMap(([name, inner]) => [name, inner, ...scalarsIn(inner)])
    : [part]

/** Returns a function that looks for a value at the place of a suspect that makes the whole value a good one. */
export const createSearch = (work: WorkBudget) => {
  const known = new Map<string, readonly unknown[]>()
  /** Returns a few values. Each is made once, and none within itself, so that the work stays small. */
  const some = (given: Given): readonly unknown[] => {
    const { id, schemas, versions } = given
    const meets = (value: unknown) => schemas.every((schema) => versions.accepts(schema, value) !== false)
    if (!known.has(id)) known.set(id, []).set(id, take(samplesOf(given, []), 4, meets))
    return known.get(id) ?? []
  }
  const arrayOf = (given: Given, length: number): unknown[] => {
    const tuple = tupleLength(given.parts)
    const contained = given.parts.flatMap(({ contains }) => (contains === undefined ? [] : [contains as Schema]))
    return Array.from({ length: Math.min(length, MOST_ITEMS) }, (_, index) => {
      const item = givenItem(given, index)
      const values = some(index === length - 1 ? also(item, ...contained) : item)
      return values[Math.max(0, index - tuple) % values.length] ?? null
    })
  }
  /** Makes an object with the member of this name. A member that takes no value is left out, as in every JSON text. */
  const objectOf = (given: Given, names: readonly string[], least = 0): Record<string, unknown> => {
    const having = also(given, { type: 'object', required: names })
    const required = requiredNames(having.parts)
    const min = Math.min(MOST_ITEMS, Math.max(least, rangeOf(having.parts, 'object')[0]))
    const members = new Map<string, unknown>()
    for (const name of [...required, ...listedIn(having.parts), ...spareNames]) {
      const [value] = members.size < min || required.has(name) ? some(givenMember(having, name)) : []
      if (value !== undefined) members.set(name, value)
    }
    return Object.fromEntries(members)
  }
  function* candidates(given: Given, hints: readonly unknown[]): Generator<unknown> {
    const { parts, kinds, schemas } = given
    const own = [...hints, ...parts.flatMap((part) => Object.values(part))]
    const near = own.flatMap((each) =>
      typeof each === 'number' ? [each, each - 1, each + 1, each - 0.5, each + 0.5, each * 2, each * 3] : [],
    )
    const texts = own.flatMap((each) => (typeof each === 'string' ? [each, each.replaceAll(/[\^$]/g, '')] : []))
    const within = (kind: Kind, others: readonly number[]) => {
      const [min, max] = rangeOf(parts, kind)
      return [max, min, ...near, ...others].filter((each) => each >= min && each <= max && Number.isFinite(each))
    }
    const counts = (kind: Kind) => within(kind, [1, 2]).filter((each) => Number.isInteger(each) && each <= MOST_LENGTH)
    for (const { examples = [], default: usual } of schemas)
      yield* [...(examples as unknown[]), ...(usual === undefined ? [] : [usual])]
    if (kinds.has('string')) yield* [...counts('string').map((length) => 'a'.repeat(length)), ...someTexts]
    for (const kind of kinds) if (kind === 'integer' || kind === 'fraction') yield* within(kind, [0, 1, 0.5, -1.5])
    yield* [true, false, null].filter((each) => kinds.has(each === null ? 'null' : 'boolean'))
    if (kinds.has('object')) {
      for (const least of [0, ...counts('object')]) yield objectOf(given, [], least)
      for (const name of [...listedIn(parts), ...texts, 'other']) yield objectOf(given, [name])
    }
    if (kinds.has('array')) {
      for (const length of counts('array')) yield arrayOf(given, length)
      for (const item of some(givenItem(given, 0))) yield* [arrayOf(given, 1).with(0, item), [item, item]]
    }
    yield* [...hints, ...texts]
  }
  function* samplesOf(given: Given, hints: readonly unknown[]): Generator<unknown> {
    const choice = given.values === undefined ? choiceOf(given) : undefined
    for (const each of choice?.slice(0, 8) ?? []) yield* take(samplesOf(also(given, ...each), hints), 30, () => true)
    let left = choice === undefined ? MOST_SAMPLES : 0
    if (left > 0)
      for (const value of given.values ?? candidates(given, hints)) {
        work.units -= UNITS_PER_SAMPLE
        left -= 1
        if (work.units < 0 || left < 0) return
        yield value
      }
  }
  return ({ given, goal, steps }: Suspect, isGood: (whole: unknown) => boolean) => {
    if (work.units < 0) return undefined
    const around = steps.reduce<(inner: unknown) => unknown>(
      (outer, { given: holder, key }) => {
        if (typeof key === 'number') {
          const array = arrayOf(holder, Math.max(rangeOf(holder.parts, 'array')[0], key + 1))
          return (inner) => outer(array.with(key, inner))
        }
        const object = objectOf(holder, [key])
        return (inner) => outer({ ...object, [key]: inner })
      },
      (inner) => inner,
    )
    const [found] = take(samplesOf(given, scalarsIn(goal)), 1, (value) => isGood(around(value))).map((value) => ({
      value,
      whole: around(value),
    }))
    return found
  }
}
