import type { Schema } from '../schema.ts'
import type { BreakingChange } from './breaking-change.ts'
import type { Claim } from './claim.ts'
import { isClosed, memberFacts, mentionedNames, patternsOf, propertiesOf, unmentionedMemberFacts } from './inside.ts'
import { alsoAccepting, type Fact, type Facts, nothingKnown, ofKind, spread } from './known.ts'
import { countBounds, requiredOf } from './limits.ts'

const within = (field: string, name: string): string => (field === '' ? name : `${field}.${name}`)

/** Of the members that may be there, each is asked what the goal asks of it. */
const memberFailures = (claim: Claim, goal: Fact, facts: Facts): readonly BreakingChange[] => {
  const { document, schema } = goal
  const properties = propertiesOf(goal)
  const patterns = patternsOf(goal)
  const mentioned = new Set([...mentionedNames(facts), ...properties.keys()])
  const additional = schema.additionalProperties as Schema | undefined
  const ask = (asked: Schema, name: string, known: ReturnType<typeof unmentionedMemberFacts>) =>
    claim.prover.failuresOf({
      ...claim,
      known: alsoAccepting(nothingKnown, known),
      goal: { document, schema: asked },
      field: within(claim.field, name),
      level: claim.level + 1,
    })

  const failures = [...mentioned].flatMap((name) => {
    const own = properties.get(name)
    const matching = patterns.filter(([pattern]) => document.matches(pattern, name)).map(([, asked]) => asked)
    const asked = own === undefined ? matching : [own, ...matching]
    return (asked.length > 0 ? asked : [additional ?? true]).flatMap((each) => ask(each, name, memberFacts(facts, name)))
  })
  const ofPatterns = patterns.flatMap(([pattern, asked]) =>
    ask(asked, '*', unmentionedMemberFacts(facts, { matching: pattern, notMatching: new Set() })),
  )
  const notMatching = new Set(patterns.map(([pattern]) => pattern))
  const ofOthers = additional === undefined ? [] : ask(additional, '*', unmentionedMemberFacts(facts, { notMatching }))
  return [...failures, ...ofPatterns, ...ofOthers]
}

/** What is asked of names: of each that may be there where they are known, else of any text. */
const nameFailures = (claim: Claim, { document, schema }: Fact, facts: Facts): readonly BreakingChange[] => {
  if (schema.propertyNames === undefined) return []
  const { field } = claim
  const goal = { document, schema: schema.propertyNames as Schema }
  if (isClosed(facts)) {
    const names = [...mentionedNames(facts)].filter((name) => memberFacts(facts, name).every((member) => member.schema !== false))
    const refused = names.filter((name) => document.accepts(goal.schema, name) !== true)
    return refused.map((name) => ({ field: within(field, name), reason: 'has a name that is no longer allowed' }))
  }
  const known = facts.schemas.flatMap((fact) =>
    fact.schema.propertyNames === undefined ? [] : [{ document: fact.document, schema: fact.schema.propertyNames as Schema }],
  )
  const isKept =
    claim.prover.failuresOf({
      ...claim,
      known: ofKind(alsoAccepting(nothingKnown, known), 'string'),
      goal,
      level: claim.level + 1,
    }).length === 0
  return isKept ? [] : [{ field: within(field, '*'), reason: 'cannot be shown compatible with the new propertyNames' }]
}

const closedSize = (facts: Facts): number =>
  Math.min(
    Number.POSITIVE_INFINITY,
    ...facts.schemas
      .filter((fact) => fact.schema.additionalProperties === false && patternsOf(fact).length === 0)
      .map((fact) => propertiesOf(fact).size),
  )

export const objectFailures = (claim: Claim, goal: Fact): readonly BreakingChange[] => {
  const { field } = claim
  const facts = spread(claim.known)
  const known = requiredOf(facts)
  const { min, max } = countBounds(facts, 'Properties')
  const { required, minProperties, maxProperties } = goal.schema
  const missing = Array.isArray(required) ? (required as string[]).filter((name) => !known.has(name)) : []
  const failures: BreakingChange[] = missing.map((name) => ({ field: within(field, name), reason: 'is now required' }))
  if (typeof minProperties === 'number' && min < minProperties) {
    failures.push({ field, reason: `must now have at least ${minProperties} members` })
  }
  if (typeof maxProperties === 'number' && Math.min(max, closedSize(facts)) > maxProperties) {
    failures.push({ field, reason: `must now have at most ${maxProperties} members` })
  }
  return [...failures, ...memberFailures(claim, goal, facts), ...nameFailures(claim, goal, facts)]
}
