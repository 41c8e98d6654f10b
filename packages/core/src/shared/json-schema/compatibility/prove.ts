import type { BreakingChange } from './breaking-change.ts'
import type { Claim, Prover } from './claim.ts'
import { failuresOfGoal } from './goal.ts'
import { alsoAccepting, type Fact, having, inCase, ofKind, spread } from './known.ts'
import { possibleKinds } from './limits.ts'
import { isImpossible, possibleValues } from './values.ts'

/** So many choices are followed, one within the other, before a proof is given up. */
const MOST_CHOICES = 8

const isContradiction = (claim: Omit<Claim, 'goal'>): boolean => {
  const { steps, known } = claim
  steps.take()
  if (isImpossible(known)) return true
  const facts = spread(known)
  const kinds = [...possibleKinds(known, facts)]
  if (kinds.length > 1 && kinds.every((kind) => isImpossible(ofKind(known, kind)))) return true
  if (known.made.size >= MOST_CHOICES) return false
  const isRefuted = facts.refusing.some(
    (goal) =>
      typeof goal.schema !== 'boolean' &&
      !known.made.has(goal.schema) &&
      failuresOf({ ...claim, known: having(known, goal.schema), goal }).length === 0,
  )
  const [choice] = facts.choices
  return (
    isRefuted || choice?.options.every((option) => isContradiction({ ...claim, known: inCase(known, choice, option) })) === true
  )
}

const isExcluded = ({ goal, ...claim }: Claim): boolean =>
  isContradiction({ ...claim, known: alsoAccepting(claim.known, [goal]) })

const unique = (changes: readonly BreakingChange[]): readonly BreakingChange[] => [
  ...new Map(changes.map((change) => [`${change.field}\0${change.reason}`, change])).values(),
]

const listOf = (values: readonly unknown[]): string => {
  const text = values.map((value) => JSON.stringify(value)).join(', ')
  return text.length <= 200 ? text : `${text.slice(0, 200)}…`
}

/** Where every value can be listed, each is tried; `undefined` where they cannot, or where the goal cannot be asked. */
const failuresByTrial = ({ known, goal, field }: Claim): readonly BreakingChange[] | undefined => {
  const values = possibleValues(known, spread(known))
  if (values === undefined) return undefined
  const outcomes = values.map((value) => goal.document.accepts(goal.schema, value))
  if (outcomes.includes(undefined)) return undefined
  const refused = values.filter((_, index) => outcomes[index] === false)
  return refused.length === 0 ? [] : [{ field, reason: `no longer takes ${listOf(refused)}` }]
}

const ALTERNATIVES = ['anyOf', 'oneOf', 'allOf', 'not', 'if', 'enum', 'const', 'dependencies'] as const

const failuresOfObject = (claim: Claim, goal: Fact): readonly BreakingChange[] => {
  const { known } = claim
  const failures = failuresOfGoal(claim, goal)
  if (failures.length === 0 || known.made.size >= MOST_CHOICES) return failures
  const facts = spread(known)
  const [choice] = facts.choices
  if (choice !== undefined) {
    return unique(choice.options.flatMap((option) => failuresOf({ ...claim, known: inCase(known, choice, option) })))
  }
  const kinds = [...possibleKinds(known, facts)]
  if (kinds.length === 1 || !ALTERNATIVES.some((keyword) => Object.hasOwn(goal.schema, keyword))) return failures
  return unique(kinds.flatMap((kind) => failuresOf({ ...claim, known: ofKind(known, kind) })))
}

const failuresOf = (claim: Claim): readonly BreakingChange[] => {
  const { steps, known, field, level } = claim
  const { document } = claim.goal
  const schema = document.resolve(claim.goal.schema)
  const goal = { document, schema }
  steps.take()
  if (schema === true) return []
  const identity = document.identityOf(schema)
  if (spread(known).schemas.some((fact) => fact.document.identityOf(fact.schema) === identity)) return []
  return steps.claiming<readonly BreakingChange[]>(known, goal, level, [], () => {
    if (isContradiction(claim)) return []
    if (schema === false) return [{ field, reason: 'is no longer allowed' }]
    return failuresByTrial({ ...claim, goal }) ?? failuresOfObject({ ...claim, goal }, { document, schema })
  })
}

/** Proves by what is known of values. Each of its methods throws `TooManySteps` where a proof takes too long. */
export const prover: Prover = { failuresOf, isContradiction, isExcluded }
