import type { Schema } from '../schema.ts'
import { also, countRange, type Given, givenOf, kindsOf, type Part, requiredNames, type Term } from './given.ts'
import { givenItem, givenMember, givenUnlisted, itemSchema, memberSchemas, namesOf, tupleLength } from './inner-values.ts'
import type { Step } from './samples.ts'
import { valueRules } from './value-rules.ts'

/** The place of a value in the whole value. */
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

/** A member or an item, and the schema that must accept it. */
export interface Inner {
  readonly given: () => Given
  readonly schema: Schema
  readonly place: Place
}

/** What the rules of keywords ask about other schemas. */
export interface Proof {
  check(given: Given, goal: Term, place: Place): void
  checkEach(inners: readonly Inner[], document: Part['document']): void
  failuresOf(run: () => void): readonly Suspect[]
  isShown(run: () => void): boolean
  isImpossible(given: Given): boolean
  report(suspect: Suspect): void
  reportAll(all: readonly Suspect[]): void
}

const member = (field: string, name: string) => (field === '' ? name : `${field}.${name}`)

/**
 * Reports each reason for which a keyword of the goal is not shown. If alternatives are still to be tried, combinators are left to
 * them.
 */
export const checkKeyword = (proof: Proof, given: Given, part: Part, place: Place, isUndecided: boolean): void => {
  const { check, checkEach, failuresOf, isShown, isImpossible, report, reportAll } = proof
  const { document, schema } = part
  const [keyword = '', value] = Object.entries(schema)[0] ?? []
  const at = (inner: unknown, isRefusing = false): Term => ({ document, schema: inner as Schema, isRefusing })
  const fail = (reason: string, field = place.field) => report({ place: { ...place, field }, reason, given, goal: part })
  const unknown = () => fail(`cannot be shown compatible with the new ${keyword}`)
  const inMember = (name: string, shownAs = name): Place => ({
    field: member(place.field, shownAs),
    steps: [...place.steps, { given, key: name }],
  })
  const rule = valueRules.get(keyword)
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
          reason: 'has a name that is no longer allowed',
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
