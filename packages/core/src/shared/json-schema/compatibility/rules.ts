import { dividesExactly } from '../decimals.ts'
import type { Schema } from '../schema.ts'
import { partsOf } from './document.ts'
import {
  also,
  choicesOf,
  countRange,
  type Given,
  givenItem,
  givenMember,
  givenOf,
  givenUnlisted,
  itemSchema,
  type Kind,
  kindsOf,
  memberSchemas,
  namesOf,
  numberRange,
  numbersOf,
  type Part,
  requiredNames,
  type Term,
  tupleLength,
} from './given.ts'
import type { Step } from './samples.ts'

/** Where a value stands in the whole value. */
export interface Place {
  readonly field: string
  readonly steps: readonly Step[]
}

/** A change for which no rule shows that the new version still accepts every value. */
export interface Suspect {
  readonly place: Place
  readonly reason: string
  readonly given: Given
  readonly goal: Term
}

class TooManySteps extends Error {}
const root: Place = { field: '', steps: [] }
const TOO_COMPLEX = 'cannot be shown compatible: the schemas are too complex to compare'
const ENOUGH = new Error('enough failures are found')

type Rule = readonly [kinds: readonly Kind[], isShown: (given: Given, limit: number) => boolean, reason: string]
const numeric: readonly Kind[] = ['integer', 'fraction']
const numbers = ({ parts, kinds }: Given) => numberRange(parts, !kinds.has('fraction'))
const count = (kind: Kind, what: 'Length' | 'Items' | 'Properties', words: string): readonly (readonly [string, Rule])[] => [
  [`min${what}`, [[kind], ({ parts }, limit) => countRange(parts, what).min >= limit, `must now have at least # ${words}`]],
  [`max${what}`, [[kind], ({ parts }, limit) => countRange(parts, what).max <= limit, `must now have at most # ${words}`]],
]
const isMultiple = ({ parts, kinds }: Given, limit: number) =>
  [...(kinds.has('fraction') ? [] : [1]), ...numbersOf(parts, 'multipleOf')].some((divisor) => dividesExactly(limit, divisor))
const openMin = (given: Given, limit: number) =>
  numbers(given).min > limit || (numbers(given).min === limit && numbers(given).isMinOpen === true)
const openMax = (given: Given, limit: number) =>
  numbers(given).max < limit || (numbers(given).max === limit && numbers(given).isMaxOpen === true)

/** The keywords that only look at the value itself. A keyword that a part of what is given has as well needs no rule. */
const rules = new Map<string, Rule>([
  ['enum', [[], () => false, 'now takes only some values']],
  ['const', [[], () => false, 'now takes only some values']],
  ['minimum', [numeric, (given, limit) => numbers(given).min >= limit, 'must now be at least #']],
  ['maximum', [numeric, (given, limit) => numbers(given).max <= limit, 'must now be at most #']],
  ['exclusiveMinimum', [numeric, openMin, 'must now be more than #']],
  ['exclusiveMaximum', [numeric, openMax, 'must now be less than #']],
  ['multipleOf', [numeric, isMultiple, 'must now be a multiple of #']],
  ['pattern', [['string'], () => false, 'must now match the pattern #']],
  [
    'uniqueItems',
    [
      ['array'],
      ({ parts }, isUnique: unknown) => isUnique === false || countRange(parts, 'Items').max <= 1,
      'must now not have the same item twice',
    ],
  ],
  ...count('string', 'Length', 'characters'),
  ...count('array', 'Items', 'items'),
  ...count('object', 'Properties', 'members'),
])

/** Keywords that can hold for each kind of value for another reason. */
const byKind = new Set(['enum', 'const', 'anyOf', 'oneOf', 'not', 'if', 'dependencies'])
const MOST_STEPS = 60_000
const MOST_SUSPECTS = 200
const LEAST_SHARE = 500
const MOST_REFUSING = 8
const member = (field: string, name: string) => (field === '' ? name : `${field}.${name}`)

interface Inner {
  readonly given: () => Given
  readonly schema: Schema
  readonly place: Place
}

/** Returns every change for which no rule shows that a value that is given meets the goal. */
export const suspects = (whole: Given, wholeGoal: Term): readonly Suspect[] => {
  let [used, limit] = [0, MOST_STEPS]
  let failed = 0
  let report = (_: Suspect): void => undefined
  let mostFailures = Number.POSITIVE_INFINITY
  /** What is shown, or being shown: a value that is smaller than all that are looked at may rely on that. */
  let shown = new Set<string>()
  const impossible = new Map<string, boolean>()

  const take = (steps: number): void => {
    used += steps
    if (used > limit) throw new TooManySteps()
  }
  /** Runs with a share of the steps that are left, so that one member that takes too many leaves enough for the others. */
  const share = (shares: number, run: () => void, giveUp: () => void): void => {
    const [outer, before] = [limit, new Set(shown)]
    limit = Math.min(limit, used + Math.max(LEAST_SHARE, (limit - used) / shares))
    try {
      run()
    } catch (error) {
      if (!(error instanceof TooManySteps || error instanceof RangeError)) throw error
      shown = before
      limit = outer
      giveUp()
    } finally {
      limit = outer
    }
  }
  const reportAll = (all: readonly Suspect[]): void => {
    for (const each of all) report(each)
  }
  const failuresOf = (run: () => void, most = mostFailures): readonly Suspect[] => {
    const outer = [report, mostFailures, failed, new Set(shown)] as const
    const found: Suspect[] = []
    mostFailures = most
    report = (suspect) => {
      failed += 1
      found.push(suspect)
      if (found.length >= most) throw ENOUGH
    }
    try {
      run()
    } catch (error) {
      if (error !== ENOUGH) throw error
    } finally {
      ;[report, mostFailures, failed] = outer
    }
    if (found.length > 0) shown = outer[3]
    return found
  }
  const isShown = (run: () => void): boolean => failuresOf(run, 1).length === 0

  const isImpossible = (given: Given, isInAlternative = false): boolean => {
    const id = `${given.id}${isInAlternative ? '' : '?'}`
    const known = impossible.get(id)
    if (known !== undefined) return known
    take(1 + given.parts.length)
    impossible.set(id, false)
    const { kinds, parts, refusing, terms } = given
    const lacks = (kind: Kind): boolean => {
      if (kind === 'object') return [...requiredNames(parts)].some((name) => isImpossible(givenMember(given, name)))
      const most = kind === 'array' ? Math.min(countRange(parts, 'Items').min, tupleLength(parts) + 1) : 0
      return Array.from({ length: most }).some((_, index) => isImpossible(givenItem(given, index)))
    }
    const isAccepted = (term: Term): boolean => {
      const outer = shown
      shown = new Set()
      const accepting = givenOf(
        terms.filter(({ isRefusing }) => isRefusing !== true),
        kinds,
      )
      const { isRefusing: _, ...goal } = term
      try {
        return isShown(() => check(accepting, goal, root))
      } finally {
        shown = outer
      }
    }
    const isEmpty =
      [...kinds].every(lacks) ||
      (refusing.length <= MOST_REFUSING && refusing.some(isAccepted)) ||
      (!isInAlternative &&
        choicesOf(given).some((choice) => choice.length <= 4 && choice.every((each) => isImpossible(also(given, each), true))))
    impossible.set(id, isEmpty)
    return isEmpty
  }

  const check = (given: Given, goal: Term, place: Place): void => {
    const { document } = goal
    const schema = document.resolve(goal.schema)
    take(1 + given.parts.length)
    if (given.holds({ document, schema }) || isImpossible(given)) return
    if (typeof schema === 'boolean') return void report({ place, given, goal, reason: 'is no longer allowed' })
    const statement = `${given.id}>${document.idOf(schema)}`
    if (shown.has(statement)) return
    shown.add(statement)
    const before = failed
    checkParts(given, { document, schema }, partsOf(schema), place)
    if (failed > before) shown.delete(statement)
  }

  const checkParts = (given: Given, goal: Part, parts: readonly Part['schema'][], place: Place): void => {
    const { document } = goal
    take(1 + given.parts.length)
    const accepted = given.values?.filter(
      (value) => !given.schemas.some((each) => each.document.accepts(each.schema, value) === false),
    )
    const refused = accepted?.filter((value) => document.accepts(goal.schema, value) !== true)
    if (refused?.length === 0) return
    if (refused?.every((value) => document.accepts(goal.schema, value) === false)) {
      const text = refused.map((value) => JSON.stringify(value)).join(', ')
      return void report({
        place,
        given: { ...given, values: refused },
        goal,
        reason: `no longer takes ${text.length <= 200 ? text : `${text.slice(0, 200)}…`}`,
      })
    }
    const choices = choicesOf(given)
    const failing = parts.flatMap((schema) => {
      const failures = given.holds({ document, schema })
        ? []
        : failuresOf(() => checkPart(given, { document, schema }, place, choices.length > 0))
      return failures.length > 0 ? [{ schema, failures }] : []
    })
    if (failing.length === 0) return
    const keywords = failing.flatMap(({ schema }) => Object.keys(schema))
    const kinds = given.kinds.size > 1 && keywords.some((keyword) => byKind.has(keyword)) ? [...given.kinds] : []
    const alternatives = choices[0]?.map((each) => also(given, each)) ?? kinds.map((kind) => givenOf(given.terms, [kind]))
    const directly = () => reportAll(failing.flatMap(({ failures }) => failures))
    if (alternatives.length === 0) return void directly()
    const left = failing.map(({ schema }) => schema)
    const inEach = () => {
      for (const each of alternatives) if (!isImpossible(each)) checkParts(each, goal, left, place)
    }
    share(2, () => reportAll(failuresOf(inEach)), directly)
  }

  const checkEach = (inners: readonly Inner[], document: Part['document']): void => {
    const open = inners.filter(({ schema }) => schema !== true)
    for (const [index, { given, schema, place }] of open.entries()) {
      const goal = { document, schema }
      const giveUp = () => report({ place, given: given(), goal, reason: TOO_COMPLEX })
      share(open.length - index, () => check(given(), goal, place), giveUp)
    }
  }

  const checkPart = (given: Given, part: Part, place: Place, isUndecided: boolean): void => {
    const { document, schema } = part
    const [keyword = '', value] = Object.entries(schema)[0] ?? []
    const at = (inner: unknown, isRefusing = false): Term => ({ document, schema: inner as Schema, isRefusing })
    const fail = (reason: string, field = place.field) => report({ place: { ...place, field }, reason, given, goal: part })
    const unknown = () => fail(`cannot be shown compatible with the new ${keyword}`)
    const inMember = (name: string, shownAs = name): Place => ({
      field: member(place.field, shownAs),
      steps: [...place.steps, { given, key: name }],
    })
    const rule = rules.get(keyword)
    if (rule !== undefined) {
      const [kinds, isKept, reason] = rule
      const applies = kinds.length === 0 || kinds.some((kind) => given.kinds.has(kind))
      if (applies && !isKept(given, value as number)) fail(reason.replace('#', String(value)))
    } else if (keyword === 'type') {
      const allowed = kindsOf(value)
      if (![...given.kinds].every((kind) => allowed.includes(kind))) fail(`must now be of type ${[value].flat().join(' or ')}`)
    } else if (keyword === 'allOf') {
      for (const inner of value as Schema[]) check(given, at(inner), place)
    } else if (keyword === 'anyOf' || keyword === 'oneOf') {
      if (isUndecided) return void unknown()
      const options = (value as Schema[]).filter((option) => !isImpossible(also(given, [at(option)])))
      if (options.length > 1 && keyword === 'anyOf' && options.some((option) => isShown(() => check(given, at(option), place))))
        return
      const tried = options.map((option) => failuresOf(() => check(given, at(option), place)))
      const [fewest = []] = tried.toSorted((one, other) => one.length - other.length)
      // Two options of a oneOf that both accept a value refuse it together.
      if (options.length !== 1 && fewest.length === 0) unknown()
      else reportAll(fewest)
    } else if (keyword === 'not') {
      if (!isImpossible(also(given, [at(value)]))) unknown()
    } else if (keyword === 'if' || keyword === 'then' || keyword === 'else') {
      if (schema.if === undefined) return
      check(also(given, [at(schema.if)]), at(schema.then ?? true), place)
      check(also(given, [at(schema.if, true)]), at(schema.else ?? true), place)
    } else if (keyword === 'dependencies' && given.kinds.has('object')) {
      for (const [name, dependency] of Object.entries(value as Record<string, Schema>)) {
        const having = also(given, [at({ type: 'object', required: [name] })])
        if (!isImpossible(having)) check(having, at(Array.isArray(dependency) ? { required: dependency } : dependency), place)
      }
    } else if (keyword === 'required' && given.kinds.has('object')) {
      const already = requiredNames(given.parts)
      for (const name of value as string[]) if (!already.has(name)) fail('is now required', member(place.field, name))
    } else if (keyword === 'contains' && given.kinds.has('array')) {
      const certain = Array.from({ length: Math.min(countRange(given.parts, 'Items').min, tupleLength(given.parts) + 1) })
      const items = [
        ...certain.map((_, index) => givenItem(given, index)),
        ...given.parts
          .filter((each) => each.schema.contains !== undefined)
          .map((each) => givenOf([{ document: each.document, schema: each.schema.contains as Schema }])),
      ]
      if (!items.some((item) => isShown(() => check(item, at(value), place)))) unknown()
    } else if (keyword === 'propertyNames' && given.kinds.has('object')) {
      const { listed, isClosed } = namesOf(given.parts)
      if (isClosed) {
        for (const name of listed) {
          if (document.accepts(value as Schema, name) === true || isImpossible(givenMember(given, name))) continue
          report({
            place: inMember(name),
            given: givenMember(given, name),
            goal: part,
            reason: 'has a name that is no longer allowed',
          })
        }
      } else {
        const names = givenOf(
          given.parts.map((each) => ({ document: each.document, schema: (each.schema.propertyNames ?? true) as Schema })),
          ['string'],
        )
        if (!isShown(() => check(names, at(value), place)))
          report({
            place: { ...place, field: member(place.field, '*') },
            given,
            goal: at(value),
            reason: 'cannot be shown compatible with the new propertyNames',
          })
      }
    } else if ('items' in schema && given.kinds.has('array')) {
      const rest = tupleLength([...given.parts, part])
      const { max } = countRange(given.parts, 'Items')
      const indexes = Array.from({ length: Math.min(rest + 1, max) }, (_, index) => index)
      checkEach(
        indexes.map((index) => ({
          given: () => givenItem(given, index),
          schema: itemSchema(part, index),
          place: { field: `${place.field}[${index === rest ? '' : index}]`, steps: [...place.steps, { given, key: index }] },
        })),
        document,
      )
    } else if (
      ['properties', 'patternProperties', 'additionalProperties'].includes(keyword) &&
      given.kinds.has('object') &&
      countRange(given.parts, 'Properties').max > 0
    ) {
      const {
        listed,
        patterns,
        additional: [additional = true],
      } = namesOf([part])
      const names = [...new Set([...namesOf(given.parts).listed, ...listed])]
      const known = names.flatMap((name) =>
        memberSchemas(part, name).map((inner) => ({
          given: () => givenMember(given, name),
          schema: inner,
          place: inMember(name),
        })),
      )
      const matched = patterns.map(([pattern, inner]) => ({
        given: () => givenUnlisted(given, pattern, []),
        schema: inner,
        place: inMember(pattern.replaceAll(/[\^$]/g, ''), '*'),
      }))
      const other = {
        given: () =>
          givenUnlisted(
            given,
            undefined,
            patterns.map(([pattern]) => pattern),
          ),
        schema: additional,
        place: inMember('other', '*'),
      }
      checkEach([...known, ...matched, other], document)
    }
  }

  const giveUp = () => report({ place: root, given: whole, goal: wholeGoal, reason: TOO_COMPLEX })
  return failuresOf(() => share(1, () => check(whole, wholeGoal, root), giveUp), MOST_SUSPECTS)
}
