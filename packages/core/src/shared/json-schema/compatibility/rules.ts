import type { Schema, SchemaObject } from '../schema.ts'
import {
  additionalOf,
  also,
  choiceOf,
  type Given,
  givenItem,
  givenMember,
  givenOf,
  givenUnlisted,
  groups,
  isClosed,
  itemSchema,
  listedIn,
  memberSchemas,
  partsOf,
  patternsOf,
  rangeOf,
  reasonsOf,
  requiredNames,
  tupleLength,
} from './given.ts'

/** A change for which no rule shows that the new version still accepts every value. */
export interface Suspect {
  /** The path to the value. */
  readonly field: string
  /** The steps from the whole value to this one: to the member of a name, or to the item at an index. */
  readonly steps: readonly { readonly given: Given; readonly key: string | number }[]
  readonly reason: string
  readonly given: Given
  readonly goal: Schema
}

type Place = Pick<Suspect, 'field' | 'steps'>
type Inner = readonly [given: () => Given, goal: Schema, place: Place]

export const UNKNOWN = 'cannot be shown compatible'
const MOST_STEPS = 60_000
const LEAST_SHARE = 500
/** Keywords that can hold for each kind of value for another reason. */
const byKind = new Set(['enum', 'anyOf', 'oneOf', 'not', 'if'])

export const shorten = (text: string): string => text.replace(/^(.{200}).+$/s, '$1…')
const memberOf = (field: string, name: string) => (field === '' ? name : `${field}.${name}`)

/** Returns every change for which no rule shows that a value that is given meets the goal. */
export const suspectsOf = (whole: Given, wholeGoal: Schema): readonly Suspect[] => {
  const { versions } = whole
  let [used, limit] = [0, MOST_STEPS]
  /** What is shown, or being shown: a value that is smaller than all that are looked at may rely on that. */
  const shown = new Set<string>()
  const impossible = new Map<string, boolean>()

  const take = (steps: number): void => {
    used += steps
    if (used > limit) throw new RangeError('too many steps')
  }
  const forgetSince = (size: number): void => {
    for (const statement of [...shown].slice(size)) shown.delete(statement)
  }
  /** Runs with a share of the steps that are left, so that one member that takes too many leaves enough for the others. */
  const share = (shares: number, run: () => readonly Suspect[], otherwise: () => readonly Suspect[]): readonly Suspect[] => {
    const [outer, { size }] = [limit, shown]
    limit = Math.min(limit, used + Math.max(LEAST_SHARE, (limit - used) / shares))
    try {
      return run()
    } catch (error) {
      // Also a stack overflow is a RangeError.
      if (!(error instanceof RangeError)) throw error
      forgetSince(size)
      return otherwise()
    } finally {
      limit = outer
    }
  }

  const isImpossible = (given: Given): boolean => {
    const { id, kinds, parts } = given
    const known = impossible.get(id)
    if (known !== undefined) return known
    take(1 + parts.length)
    impossible.set(id, false)
    const items = Array.from({ length: Math.min(rangeOf(parts, 'array')[0], tupleLength(parts) + 1) })
    const isEmpty = [...kinds].every(
      (kind) =>
        (kind === 'object' && [...requiredNames(parts)].some((name) => isImpossible(givenMember(given, name)))) ||
        (kind === 'array' && items.some((_, index) => isImpossible(givenItem(given, index)))),
    )
    impossible.set(id, isEmpty)
    return isEmpty
  }

  const check = (given: Given, goal: Schema, place: Place): readonly Suspect[] => {
    const schema = versions.resolve(goal)
    take(1 + given.parts.length)
    if (given.holds(schema) || isImpossible(given)) return []
    if (typeof schema === 'boolean') return [{ ...place, given, goal, reason: 'is no longer allowed' }]
    const statement = `${given.id}>${versions.idOf(schema)}`
    if (shown.has(statement)) return []
    const { size } = shown
    shown.add(statement)
    const found = checkParts(given, schema, partsOf(schema), place)
    if (found.length > 0) forgetSince(size)
    return found
  }

  const checkParts = (given: Given, goal: SchemaObject, parts: readonly SchemaObject[], place: Place): readonly Suspect[] => {
    take(1 + given.parts.length)
    const refused = given.values?.filter(
      (value) => versions.accepts(goal, value) !== true && given.schemas.every((each) => versions.accepts(each, value) !== false),
    )
    if (refused?.every((value) => versions.accepts(goal, value) === false)) {
      const text = refused.map((value) => JSON.stringify(value)).join(', ')
      const reason = `no longer takes ${shorten(text)}`
      return refused.length === 0 ? [] : [{ ...place, given: { ...given, values: refused }, goal, reason }]
    }
    const choice = choiceOf(given)
    const failing = parts.flatMap((part) => {
      const found = given.holds(part) ? [] : checkKeyword(given, part, place, choice !== undefined)
      return found.length > 0 ? [{ part, found }] : []
    })
    const isByKind = given.kinds.size > 1 && failing.some(({ part }) => Object.keys(part).some((keyword) => byKind.has(keyword)))
    const kinds = isByKind ? [...given.kinds].map((kind) => givenOf(versions, given.terms, [kind])) : []
    const alternatives = choice?.map((each) => also(given, ...each)) ?? kinds
    const directly = failing.flatMap(({ found }) => found)
    if (alternatives.length === 0 || failing.length === 0) return directly
    const left = failing.map(({ part }) => part)
    const inEach = () => alternatives.flatMap((each) => (isImpossible(each) ? [] : checkParts(each, goal, left, place)))
    return share(2, inEach, () => directly)
  }

  const checkEach = (inners: readonly Inner[]): readonly Suspect[] => {
    const open = inners.filter(([, goal]) => goal !== true)
    return open.flatMap(([given, goal, place], index) =>
      share(
        open.length - index,
        () => check(given(), goal, place),
        () => [tooComplex(given(), goal, place)],
      ),
    )
  }

  /** Checks one keyword of the goal. If alternatives are still to be tried, combinators are left to them. */
  const checkKeyword = (given: Given, part: SchemaObject, place: Place, isUndecided: boolean): readonly Suspect[] => {
    const { kinds, parts } = given
    const [first = ''] = Object.keys(part)
    const keyword = groups.get(first) ?? first
    const value = part[keyword]
    const schema = value as Schema
    const fail = (reason: string, name?: string): Suspect => {
      const field = name === undefined ? place.field : memberOf(place.field, name)
      return { ...place, field, reason, given, goal: part }
    }
    const unless = (isShown: boolean) => (isShown ? [] : [fail(`${UNKNOWN} with the new ${keyword}`)])
    const isShown = (inner: Given, goal: Schema) => check(inner, goal, place).length === 0
    const within = (key: string | number, field: string): Place => ({ field, steps: [...place.steps, { given, key }] })
    const inMember = (name: string, shownAs = name) => within(name, memberOf(place.field, shownAs))
    const reasons = reasonsOf(given, part)
    if (reasons !== undefined) return reasons.map(([reason, name]) => fail(reason, name))
    switch (keyword) {
      case 'allOf':
        return (value as Schema[]).flatMap((inner) => check(given, inner, place))
      case 'anyOf':
      case 'oneOf': {
        if (isUndecided) return unless(false)
        const options = (value as Schema[]).filter((option) => !isImpossible(also(given, option)))
        const tried = options.map((option) => check(given, option, place))
        const [fewest = unless(false)] = tried.toSorted((one, other) => one.length - other.length)
        // Two options of a oneOf that both accept a value refuse it together.
        return keyword === 'oneOf' && options.length > 1 && fewest.length === 0 ? unless(false) : fewest
      }
      case 'not': {
        const isWider = ({ not }: SchemaObject) => not !== undefined && isShown(givenOf(versions, [schema]), not as Schema)
        return unless(isImpossible(also(given, schema)) || parts.some(isWider))
      }
      case 'if': {
        const { then: met = true, else: unmet = true } = part as Readonly<Record<string, Schema>>
        if (schema === undefined) return []
        return [...check(also(given, schema), met, place), ...check(also(given, { not: schema }), unmet, place)]
      }
      case 'contains': {
        const some = parts.flatMap(({ contains }) => (contains === undefined ? [] : [givenOf(versions, [contains as Schema])]))
        if (rangeOf(parts, 'array')[0] > 0) some.push(givenItem(given, 0))
        return unless(!kinds.has('array') || some.some((item) => isShown(item, schema)))
      }
      case 'propertyNames': {
        const listed = parts.some(isClosed) ? listedIn(parts) : undefined
        const names = parts.flatMap(({ propertyNames }) => (propertyNames === undefined ? [] : [propertyNames as Schema]))
        const known = givenOf(versions, listed ? [...names, { enum: listed }] : names, ['string'])
        if (!kinds.has('object') || isShown(known, schema)) return []
        const refused = listed?.find((name) => versions.accepts(schema, name) === false)
        return [{ ...fail('has a name that is no longer allowed', refused ?? '*'), goal: schema }]
      }
      case 'items': {
        const rest = tupleLength([...parts, part])
        const length = kinds.has('array') ? Math.min(rest + 1, rangeOf(parts, 'array')[1]) : 0
        const field = (index: number) => `${place.field}[${index === rest ? '' : index}]`
        return checkEach(
          Array.from({ length }, (_, index) => [
            () => givenItem(given, index),
            itemSchema(part, index),
            within(index, field(index)),
          ]),
        )
      }
      case 'properties': {
        if (!kinds.has('object') || rangeOf(parts, 'object')[1] === 0) return []
        const patterns = patternsOf(part)
        const sources = patterns.map(([pattern]) => pattern)
        return checkEach([
          ...listedIn([...parts, part]).flatMap((name) =>
            memberSchemas(part, name, versions).map((inner): Inner => [() => givenMember(given, name), inner, inMember(name)]),
          ),
          ...patterns.map(([pattern, inner]): Inner => {
            const name = pattern.replaceAll(/[\^$]/g, '')
            return [() => givenUnlisted(given, pattern, []), inner, inMember(name, '*')]
          }),
          [() => givenUnlisted(given, undefined, sources), additionalOf(part), inMember('other', '*')],
        ])
      }
      default:
        return []
    }
  }

  const tooComplex = (given: Given, goal: Schema, place: Place): Suspect => {
    return { ...place, given, goal, reason: `${UNKNOWN}: the schemas are too complex to compare` }
  }
  const root: Place = { field: '', steps: [] }
  return share(
    1,
    () => check(whole, wholeGoal, root),
    () => [tooComplex(whole, wholeGoal, root)],
  )
}
