import { dividesExactly } from '../decimals.ts'
import type { Assumptions } from './assumptions.ts'
import { countBounds, divisorsOf, isEmptyRange, numberBounds } from './bounds.ts'
import { type Facts, factsOf } from './facts.ts'
import { type Kind, kindsOf } from './value-kinds.ts'

/** Returns whether the bounds leave any value of this kind. */
const isWithinBounds = (kind: Kind, facts: Facts): boolean => {
  switch (kind) {
    case 'integer':
    case 'fraction': {
      const { from, to } = numberBounds(facts, kind === 'integer')
      return !isEmptyRange(from, to) && !(kind === 'fraction' && divisorsOf(facts).some((divisor) => dividesExactly(1, divisor)))
    }
    case 'string':
    case 'array':
    case 'object': {
      const { min, max } = countBounds(facts, kind === 'string' ? 'Length' : kind === 'array' ? 'Items' : 'Properties')
      return min <= max
    }
    case 'boolean':
    case 'null':
      return true
  }
}

/** Possible kinds by assumptions, which are immutable. */
const cache = new WeakMap<Assumptions, ReadonlySet<Kind>>()

/**
 * Returns the kinds that a value may have under the assumptions. The set may hold a kind that no value can really have: that
 * costs a proof, and never makes one wrong. The set must never lack a kind.
 */
export const possibleKinds = (assumptions: Assumptions): ReadonlySet<Kind> => {
  const kinds = cache.get(assumptions) ?? derivePossibleKinds(assumptions)
  cache.set(assumptions, kinds)
  return kinds
}

const derivePossibleKinds = (assumptions: Assumptions): ReadonlySet<Kind> => {
  const facts = factsOf(assumptions)
  if (facts.isContradictory) return new Set()
  // A refusing schema excludes kinds where `type` is its only keyword.
  const excluded = facts.refusedBy.flatMap(({ document, schema }) => {
    const resolved = document.resolve(schema)
    const isTypeOnly = typeof resolved !== 'boolean' && Object.keys(resolved).length === 1 && resolved.type !== undefined
    return isTypeOnly ? [...kindsOf(resolved.type)] : []
  })
  const allowed = facts.schemas.map(({ schema }) => kindsOf(schema.type))
  return new Set(
    [...assumptions.kinds].filter(
      (kind) => allowed.every((set) => set.has(kind)) && !excluded.includes(kind) && isWithinBounds(kind, facts),
    ),
  )
}
