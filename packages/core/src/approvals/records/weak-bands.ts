import { isAssertion, isSchemaObject } from '../../shared/draft-07.ts'
import { groupsOf, type PolicyBand, sumCounts } from './action-policy.ts'

/** The bands that make a policy weaker than its author may expect, as indexes. */
export interface WeakBands {
  /** The bands that ask for more approvals than the last band, into which falls whatever no other band accepts. */
  readonly bandsAboveLast: readonly number[]
  /** The bands that accept every payload although they are not the last, so that no later band ever applies. */
  readonly bandsForEverything: readonly number[]
}

/** Returns whether a schema refuses any value; the schema of a payload, any object. */
const refusesSome = (schema: unknown, isOfPayload = false): boolean => {
  if (!isSchemaObject(schema)) return schema === false
  return Object.entries(schema).some(([keyword, value]) => {
    if (!isAssertion(keyword)) return false
    if (keyword === 'type') return !(isOfPayload && [value].flat().includes('object'))
    if (keyword === 'required') return Array.isArray(value) && value.length > 0
    if (keyword === 'properties') return isSchemaObject(value) && Object.values(value).some((member) => refusesSome(member))
    if (keyword === 'additionalProperties') return refusesSome(value)
    return !(keyword === 'minProperties' && value === 0)
  })
}

/** Returns the weak bands of a policy; empty lists for a policy whose last band is the strictest. */
export const weakBands = (bands: readonly PolicyBand[]): WeakBands => {
  const counts = bands.map((band) => sumCounts(groupsOf(band)))
  const ofLast = counts.at(-1) ?? 0
  const indexesOf = (isWeak: (at: number) => boolean) => [...bands.keys()].filter(isWeak)
  return {
    bandsAboveLast: indexesOf((at) => (counts[at] ?? 0) > ofLast),
    bandsForEverything: indexesOf((at) => at < bands.length - 1 && !refusesSome(bands[at]?.when ?? {}, true)),
  }
}

export const isStrict = (bands: readonly PolicyBand[]): boolean => Object.values(weakBands(bands)).flat().length === 0
