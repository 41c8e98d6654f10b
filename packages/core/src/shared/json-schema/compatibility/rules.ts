import { partsOf } from './document.ts'
import { also, choicesOf, countRange, type Given, givenOf, type Kind, type Part, requiredNames, type Term } from './given.ts'
import { givenItem, givenMember, tupleLength } from './inner-values.ts'
import { checkKeyword, type Inner, type Place, type Proof, type Suspect } from './keywords.ts'

class TooManySteps extends Error {}
const root: Place = { field: '', steps: [] }
const TOO_COMPLEX = 'cannot be shown compatible: the schemas are too complex to compare'
const ENOUGH = new Error('enough failures are found')

/** Keywords that can hold for each kind of value for another reason. */
const byKind = new Set(['enum', 'const', 'anyOf', 'oneOf', 'not', 'if', 'dependencies'])
const MOST_STEPS = 60_000
const MOST_SUSPECTS = 200
const LEAST_SHARE = 500
const MOST_REFUSING = 8

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
        : failuresOf(() => checkKeyword(proof, given, { document, schema }, place, choices.length > 0))
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

  const proof: Proof = { check, checkEach, failuresOf, isShown, isImpossible, reportAll, report: (suspect) => report(suspect) }
  const giveUp = () => report({ place: root, given: whole, goal: wholeGoal, reason: TOO_COMPLEX })
  return failuresOf(() => share(1, () => check(whole, wholeGoal, root), giveUp), MOST_SUSPECTS)
}
