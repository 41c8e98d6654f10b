import type { Schema } from '../../schema.ts'
import { assumeAcceptedBy, assumeKind, noAssumptions } from '../assumptions.ts'
import { countBounds, requiredNames } from '../bounds.ts'
import type { BreakingChange } from '../breaking-change.ts'
import type { Fact } from '../fact.ts'
import { type Facts, factsOf } from '../facts.ts'
import {
  isClosed,
  memberFacts,
  mentionedNames,
  mostMembers,
  patternPropertiesOf,
  propertiesOf,
  unmentionedMemberFacts,
} from '../member-facts.ts'
import type { Obligation } from '../obligation.ts'

const memberField = (field: string, name: string): string => (field === '' ? name : `${field}.${name}`)

/**
 * Proves the members: each name that a schema lists, then names that match a pattern of the goal, then all other names. The
 * field of an unlisted name is `*`.
 */
const checkMembers = (obligation: Obligation, goal: Fact, facts: Facts): readonly BreakingChange[] => {
  const { document, schema } = goal
  const properties = propertiesOf(goal)
  const patterns = patternPropertiesOf(goal)
  const listed = new Set([...mentionedNames(facts), ...properties.keys()])
  const additional = schema.additionalProperties as Schema | undefined
  const check = (required: Schema, name: string, acceptedBy: ReturnType<typeof unmentionedMemberFacts>) =>
    obligation.prover.breakingChanges({
      ...obligation,
      assumptions: assumeAcceptedBy(noAssumptions, acceptedBy),
      goal: { document, schema: required },
      field: memberField(obligation.field, name),
      level: obligation.level + 1,
    })

  const ofListed = [...listed].flatMap((name) => {
    const own = properties.get(name)
    const matching = patterns.filter(([pattern]) => document.matches(pattern, name)).map(([, required]) => required)
    const required = own === undefined ? matching : [own, ...matching]
    return (required.length > 0 ? required : [additional ?? true]).flatMap((each) => check(each, name, memberFacts(facts, name)))
  })
  const ofPatterns = patterns.flatMap(([pattern, required]) =>
    check(required, '*', unmentionedMemberFacts(facts, { matching: pattern, notMatching: new Set() })),
  )
  const notMatching = new Set(patterns.map(([pattern]) => pattern))
  const ofOthers = additional === undefined ? [] : check(additional, '*', unmentionedMemberFacts(facts, { notMatching }))
  return [...ofListed, ...ofPatterns, ...ofOthers]
}

/** Checks `propertyNames`: each possible name where only listed names are allowed, else every string. */
const checkNames = (obligation: Obligation, { document, schema }: Fact, facts: Facts): readonly BreakingChange[] => {
  if (schema.propertyNames === undefined) return []
  const { field } = obligation
  const goal = { document, schema: schema.propertyNames as Schema }
  if (isClosed(facts)) {
    const names = [...mentionedNames(facts)].filter((name) => memberFacts(facts, name).every((member) => member.schema !== false))
    const refused = names.filter((name) => document.accepts(goal.schema, name) !== true)
    return refused.map((name) => ({ field: memberField(field, name), reason: 'has a name that is no longer allowed' }))
  }
  const acceptedBy = facts.schemas.flatMap((fact) =>
    fact.schema.propertyNames === undefined ? [] : [{ document: fact.document, schema: fact.schema.propertyNames as Schema }],
  )
  const isProven =
    obligation.prover.breakingChanges({
      ...obligation,
      assumptions: assumeKind(assumeAcceptedBy(noAssumptions, acceptedBy), 'string'),
      goal,
      level: obligation.level + 1,
    }).length === 0
  return isProven ? [] : [{ field: memberField(field, '*'), reason: 'cannot be shown compatible with the new propertyNames' }]
}

/** Checks the keywords of objects. `dependencies` is checked with the combinators. */
export const checkObjects = (obligation: Obligation, goal: Fact): readonly BreakingChange[] => {
  const { field } = obligation
  const facts = factsOf(obligation.assumptions)
  const alreadyRequired = requiredNames(facts)
  const { min, max } = countBounds(facts, 'Properties')
  const { required, minProperties, maxProperties } = goal.schema
  const missing = Array.isArray(required) ? (required as string[]).filter((name) => !alreadyRequired.has(name)) : []
  const changes: BreakingChange[] = missing.map((name) => ({ field: memberField(field, name), reason: 'is now required' }))
  if (typeof minProperties === 'number' && min < minProperties) {
    changes.push({ field, reason: `must now have at least ${minProperties} members` })
  }
  if (typeof maxProperties === 'number' && Math.min(max, mostMembers(facts)) > maxProperties) {
    changes.push({ field, reason: `must now have at most ${maxProperties} members` })
  }
  return [...changes, ...checkMembers(obligation, goal, facts), ...checkNames(obligation, goal, facts)]
}
