import { assumeAcceptedBy, assumeCase, assumeKind, markAsSplit } from './assumptions.ts'
import type { BreakingChange } from './breaking-change.ts'
import type { Fact } from './fact.ts'
import { factsOf } from './facts.ts'
import type { Obligation, Prover } from './obligation.ts'
import { possibleKinds } from './possible-kinds.ts'
import { isObviouslyContradictory, possibleValues } from './possible-values.ts'
import { checkKeywords } from './rules/check-keywords.ts'

/** The most case splits within each other. A proof that needs more is given up. */
const MOST_SPLITS = 8

const isContradictory = (obligation: Omit<Obligation, 'goal'>): boolean => {
  const { budget, assumptions } = obligation
  budget.take()
  if (isObviouslyContradictory(assumptions)) return true
  const facts = factsOf(assumptions)
  const kinds = [...possibleKinds(assumptions)]
  if (kinds.length > 1 && kinds.every((kind) => isObviouslyContradictory(assumeKind(assumptions, kind)))) return true
  if (assumptions.splits.size >= MOST_SPLITS) return false
  // A schema that is assumed to refuse the value, but provably accepts it, is a contradiction.
  const acceptsAfterAll = facts.refusedBy.some(
    (goal) =>
      typeof goal.schema !== 'boolean' &&
      !assumptions.splits.has(goal.schema) &&
      breakingChanges({ ...obligation, assumptions: markAsSplit(assumptions, goal.schema), goal }).length === 0,
  )
  const [split] = facts.splits
  return (
    acceptsAfterAll ||
    split?.cases.every((one) => isContradictory({ ...obligation, assumptions: assumeCase(assumptions, split, one) })) === true
  )
}

const refusesAll = ({ goal, ...obligation }: Obligation): boolean =>
  isContradictory({ ...obligation, assumptions: assumeAcceptedBy(obligation.assumptions, [goal]) })

const withoutDuplicates = (changes: readonly BreakingChange[]): readonly BreakingChange[] => [
  ...new Map(changes.map((change) => [`${change.field}\0${change.reason}`, change])).values(),
]

const shorten = (values: readonly unknown[]): string => {
  const text = values.map((value) => JSON.stringify(value)).join(', ')
  return text.length <= 200 ? text : `${text.slice(0, 200)}…`
}

/** Validates every possible value. Returns `undefined` if the values cannot be listed, or the goal cannot be run. */
const checkPossibleValues = ({ assumptions, goal, field }: Obligation): readonly BreakingChange[] | undefined => {
  const values = possibleValues(assumptions)
  if (values === undefined) return undefined
  const outcomes = values.map((value) => goal.document.accepts(goal.schema, value))
  if (outcomes.includes(undefined)) return undefined
  const refused = values.filter((_, index) => outcomes[index] === false)
  return refused.length === 0 ? [] : [{ field, reason: `no longer takes ${shorten(refused)}` }]
}

/** Keywords that may hold for each kind of value for another reason. A split by kind can help to prove them. */
const SPLIT_BY_KIND = ['anyOf', 'oneOf', 'allOf', 'not', 'if', 'enum', 'const', 'dependencies'] as const

/** Tries the rules of the keywords. Where one fails, tries again in each case of a split, then for each kind of value. */
const checkSchemaObject = (obligation: Obligation, goal: Fact): readonly BreakingChange[] => {
  const { assumptions } = obligation
  const changes = checkKeywords(obligation, goal)
  if (changes.length === 0 || assumptions.splits.size >= MOST_SPLITS) return changes
  const [split] = factsOf(assumptions).splits
  if (split !== undefined) {
    const inCases = split.cases.map((one) => ({ ...obligation, assumptions: assumeCase(assumptions, split, one) }))
    return withoutDuplicates(inCases.flatMap(breakingChanges))
  }
  const kinds = [...possibleKinds(assumptions)]
  if (kinds.length === 1 || !SPLIT_BY_KIND.some((keyword) => Object.hasOwn(goal.schema, keyword))) return changes
  return withoutDuplicates(
    kinds.flatMap((kind) => breakingChanges({ ...obligation, assumptions: assumeKind(assumptions, kind) })),
  )
}

const breakingChanges = (obligation: Obligation): readonly BreakingChange[] => {
  const { budget, induction, assumptions, field, level } = obligation
  const { document } = obligation.goal
  const schema = document.resolve(obligation.goal.schema)
  const goal = { document, schema }
  budget.take()
  if (schema === true) return []
  const identity = document.identityOf(schema)
  if (factsOf(assumptions).schemas.some((fact) => fact.document.identityOf(fact.schema) === identity)) return []
  return induction.prove<readonly BreakingChange[]>(assumptions, goal, level, [], () => {
    if (isContradictory(obligation)) return []
    if (schema === false) return [{ field, reason: 'is no longer allowed' }]
    return checkPossibleValues({ ...obligation, goal }) ?? checkSchemaObject({ ...obligation, goal }, { document, schema })
  })
}

/** The prover of obligations. Each method throws `TooManySteps` where the step budget of the obligation is used up. */
export const prover: Prover = { breakingChanges, isContradictory, refusesAll }
