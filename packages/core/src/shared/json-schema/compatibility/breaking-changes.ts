import type { Schema, SchemaObject } from '../../draft-07.ts'
import type { CheckedSchema } from '../check-schema.ts'
import { short, within } from '../complaints.ts'
import { choiceOf, type Given, givenOf, type Kind, leaderOf, partsOf, reasonsOf } from './given.ts'
import { createSearch, type Suspect } from './samples.ts'
import { createVersions, type Versions } from './versions.ts'

/** A value that the old schema accepts and the new schema refuses, or may refuse. */
export interface BreakingChange {
  /** The path to the value: `deployment.type`, `platforms[]`; `attributes` for the whole. */
  readonly field: string
  readonly reason: string
  /** A whole value that the old schema accepts and the new schema refuses. Missing if the change could not be decided. */
  readonly value?: unknown
}

type Place = Pick<Suspect, 'field' | 'steps'>
type Suspects = readonly Suspect[]
type Inner = readonly [given: Given, wanted: Given, place: Place]

const UNKNOWN = 'cannot be shown compatible'
/** The work of all validations together, in units of the meter: less than half a second. */
const MOST_WORK = 2_000_000
const [MOST_CHANGES, MOST_STEPS, LEAST_SHARE] = [200, 60_000, 500]
/** Keywords that can be satisfied for another reason by each kind of value. */
const byKind = ['enum', 'anyOf', 'oneOf', 'not', 'if']

/** Returns every change for which no rule shows that the new version still accepts every value. */
const suspectsOf = (versions: Versions, before: Schema, after: Schema): Suspects => {
  let [used, limit] = [0, MOST_STEPS]
  /** The goals that are proved, or being proved. A proof about a part of a value may rely on goals that are being proved. */
  const shown = new Set<string>()
  const impossible = new Map<string, boolean>()

  const take = (given: Given): void => {
    used += 1 + given.parts.length
    if (used > limit) throw new RangeError('too many steps')
  }
  const forgetSince = (size: number): void => {
    for (const statement of [...shown].slice(size)) shown.delete(statement)
  }
  /** Runs with a share of the steps that are left, so that one member that takes too many leaves enough for the others. */
  const share = (shares: number, otherwise: Suspects, run: () => Suspects): Suspects => {
    const [outer, { size }] = [limit, shown]
    limit = Math.min(limit, used + Math.max(LEAST_SHARE, (limit - used) / shares))
    try {
      return run()
    } catch (error) {
      // A stack overflow is a RangeError too.
      if (!(error instanceof RangeError)) throw error
      forgetSince(size)
      return otherwise
    } finally {
      limit = outer
    }
  }
  const checkEach = (inners: readonly Inner[]): Suspects =>
    inners.flatMap(([given, wanted, place], index) => {
      const goal = wanted.terms[0] ?? true
      const tooComplex = { ...place, given, goal, reason: `${UNKNOWN}: the schemas are too complex to compare` }
      return share(inners.length - index, [tooComplex], () => check(given, goal, place))
    })

  const isImpossible = (given: Given): boolean => {
    const before = impossible.get(given.id)
    if (before !== undefined) return before
    take(given)
    impossible.set(given.id, false)
    const lacks = (kind: Kind) => kind === 'object' && [...given.required].some((name) => isImpossible(given.member(name)))
    const isEmpty = [...given.kinds].every(lacks)
    impossible.set(given.id, isEmpty)
    return isEmpty
  }

  const check = (given: Given, goal: Schema, place: Place): Suspects => {
    const schema = versions.resolve(goal)
    take(given)
    const statement = `${given.id}>${versions.idOf(schema)}`
    if (given.holds(schema) || shown.has(statement) || isImpossible(given)) return []
    if (typeof schema === 'boolean') return [{ ...place, given, goal, reason: 'is no longer allowed' }]
    const { size } = shown
    shown.add(statement)
    const found = checkParts(given, schema, partsOf(schema), place)
    if (found.length > 0) forgetSince(size)
    return found
  }

  const checkParts = (given: Given, goal: SchemaObject, parts: readonly SchemaObject[], place: Place): Suspects => {
    take(given)
    const refused = given.values?.filter(
      (value) => versions.accepts(goal, value) !== true && given.schemas.every((each) => versions.accepts(each, value) !== false),
    )
    if (refused?.every((value) => versions.accepts(goal, value) === false)) {
      const reason = `no longer takes ${short(refused.map((value) => JSON.stringify(value)).join(', '))}`
      return refused.length === 0 ? [] : [{ ...place, given: { ...given, values: refused }, goal, reason }]
    }
    const choice = choiceOf(given)
    const found = parts.map((part) => (given.holds(part) ? [] : checkKeyword(given, part, place, choice !== undefined)))
    const left = parts.filter((_, index) => found[index]?.length !== 0)
    const isByKind = given.kinds.size > 1 && left.some((part) => byKind.some((keyword) => Object.hasOwn(part, keyword)))
    const alternatives = choice?.map((each) => given.also(...each)) ?? (isByKind ? [...given.kinds].map(given.ofKind) : [])
    if (alternatives.length === 0 || left.length === 0) return found.flat()
    const possible = () => alternatives.filter((each) => !isImpossible(each))
    return share(2, found.flat(), () => possible().flatMap((each) => checkParts(each, goal, left, place)))
  }

  /** Checks one keyword of the goal. If alternatives are still to be tried, combinators are left to them. */
  const checkKeyword = (given: Given, part: SchemaObject, place: Place, isUndecided: boolean): Suspects => {
    const { kinds, parts } = given
    const [first = ''] = Object.keys(part)
    const keyword = leaderOf(first)
    const [schema, options] = [part[keyword] as Schema, part[keyword] as readonly Schema[]]
    const nameField = (name?: string) => (name === undefined ? place.field : within(place.field, name))
    const fail = (reason: string, name?: string): Suspect => ({ ...place, field: nameField(name), reason, given, goal: part })
    const unless = (isKept: boolean) => (isKept ? [] : [fail(`${UNKNOWN} with the new ${keyword}`)])
    const isShown = (inner: Given, goal: Schema) => check(inner, goal, place).length === 0
    const at = (key: string | number, field: string): Place => ({ field, steps: [...place.steps, { given, key }] })
    const reasons = reasonsOf(given, part)
    if (reasons !== undefined) return reasons.map(({ reason, name }) => fail(reason, name))
    if (keyword === 'allOf') return options.flatMap((option) => check(given, option, place))
    if (keyword === 'anyOf' || keyword === 'oneOf') {
      if (isUndecided) return unless(false)
      const possible = options.filter((option) => !isImpossible(given.also(option)))
      const tried = possible.map((option) => check(given, option, place))
      const [fewest = unless(false)] = tried.toSorted((one, other) => one.length - other.length)
      // Two options of a oneOf that both accept a value refuse it together.
      return keyword === 'oneOf' && possible.length > 1 && fewest.length === 0 ? unless(false) : fewest
    }
    if (keyword === 'not') {
      const excluded = parts.flatMap(({ not = [] }) => not as Schema | readonly Schema[])
      return unless(isImpossible(given.also(schema)) || excluded.some((each) => isShown(givenOf(versions, [schema]), each)))
    }
    if (keyword === 'if' && schema !== undefined) {
      const { then: met = true, else: unmet = true } = part as Readonly<Record<string, Schema>>
      return [...check(given.also(schema), met, place), ...check(given.also({ not: schema }), unmet, place)]
    }
    if (keyword === 'contains' && kinds.has('array')) {
      const contained = parts.flatMap(({ contains = [] }) => contains as Schema | readonly Schema[])
      return unless(contained.some((each) => isShown(givenOf(versions, [each]), schema)))
    }
    if (keyword === 'propertyNames' && kinds.has('object')) {
      const names = parts.map(({ propertyNames = true }) => propertyNames as Schema)
      const all = isImpossible(given.unlisted('', [])) ? [...names, { enum: [...given.listed] }] : names
      if (isShown(givenOf(versions, all, ['string']), schema)) return []
      const refused = all === names ? [] : [...given.listed].filter((name) => versions.accepts(schema, name) === false)
      return [{ ...fail('has a name that is no longer allowed', refused[0] ?? '*'), goal: schema }]
    }
    const wanted = givenOf(versions, [part])
    if (keyword === 'items' && kinds.has('array')) {
      const rest = Math.max(given.tuple, wanted.tuple)
      const indexes = Array.from({ length: Math.min(rest + 1, given.range('array')[1]) }, (_, index) => index)
      const field = (index: number) => `${place.field}[${index === rest ? '' : index}]`
      return checkEach(indexes.map((index) => [given.item(index), wanted.item(index), at(index, field(index))]))
    }
    if (keyword === 'properties' && kinds.has('object') && given.range('object')[1] > 0) {
      const patterns = Object.keys(part.patternProperties ?? {})
      const inner = (name: string, from: (of: Given) => Given, shownAs = name): Inner => [
        from(given),
        from(wanted),
        at(name, nameField(shownAs)),
      ]
      return checkEach([
        ...[...new Set([...given.listed, ...wanted.listed])].map((name) => inner(name, (of) => of.member(name))),
        ...patterns.map((pattern) => inner(pattern.replaceAll(/[\^$]/g, ''), (of) => of.unlisted(pattern, []), '*')),
        inner('other', (of) => of.unlisted('', patterns), '*'),
      ])
    }
    return []
  }
  return checkEach([[givenOf(versions, [before]), givenOf(versions, [after]), { field: '', steps: [] }]])
}

/**
 * Compares two versions of a schema. Returns an empty list only if rules show that the new version accepts every value that the old
 * version accepts. Otherwise the list names each change, with a value that shows it, or without one if it could not be decided.
 */
export const breakingChanges = (before: CheckedSchema, after: CheckedSchema): readonly BreakingChange[] => {
  const work = { units: MOST_WORK }
  const versions = createVersions([before, after], work)
  const search = createSearch(work)
  const isCounterexample = (value: unknown) =>
    versions.accepts(before.schema, value) === true && versions.accepts(after.schema, value) === false
  const changes = new Map<string, BreakingChange>()
  for (const suspect of suspectsOf(versions, before.schema, after.schema).slice(0, MOST_CHANGES)) {
    const { reason } = suspect
    const field = suspect.field === '' ? 'attributes' : suspect.field
    const key = `${field} ${reason}`
    if (changes.get(key)?.value !== undefined) continue
    const isVague = reason.startsWith(UNKNOWN)
    const found = search(suspect, isCounterexample)
    if (found === undefined) changes.set(key, { field, reason: isVague ? reason : `${UNKNOWN}: ${reason}` })
    else {
      const shown = isVague ? `no longer takes ${short(JSON.stringify(found.value))}` : reason
      changes.set(key, { field, reason: shown, value: found.whole })
    }
  }
  return [...changes.values()]
}
