import type { CheckedSchema } from '../check-schema.ts'
import { givenOf } from './given.ts'
import { shorten, suspectsOf, UNKNOWN } from './rules.ts'
import { createSearch } from './samples.ts'
import { createVersions } from './versions.ts'

/** A value that the old schema accepts and the new schema refuses, or may refuse. */
export interface BreakingChange {
  /** The path to the value: `deployment.type`, `platforms[]`; `attributes` for the whole. */
  readonly field: string
  readonly reason: string
  /** A whole value that the old schema accepts and the new schema refuses. None if the change could not be decided. */
  readonly value?: unknown
}

/** The work of all validations together, in units of the meter: less than half a second. */
const MOST_WORK = 2_000_000
const MOST_CHANGES = 200

/**
 * Compares two versions of a schema. Returns an empty list only where rules show that the new version accepts every value that the
 * old version accepts. Else the list names each change, with a value that shows it. A change without a value could not be decided.
 */
export const breakingChanges = (before: CheckedSchema, after: CheckedSchema): readonly BreakingChange[] => {
  const work = { units: MOST_WORK }
  const versions = createVersions([before, after], work)
  const search = createSearch(work)
  const isCounterexample = (value: unknown) =>
    versions.accepts(before.schema, value) === true && versions.accepts(after.schema, value) === false
  const suspects = suspectsOf(givenOf(versions, [before.schema]), after.schema)
  const changes = new Map<string, BreakingChange>()
  for (const suspect of suspects.slice(0, MOST_CHANGES)) {
    const { reason } = suspect
    const field = suspect.field === '' ? 'attributes' : suspect.field
    const key = `${field} ${reason}`
    if (changes.get(key)?.value !== undefined) continue
    const isVague = reason.startsWith(UNKNOWN)
    const found = search(suspect, isCounterexample)
    if (found === undefined) changes.set(key, { field, reason: isVague ? reason : `${UNKNOWN}: ${reason}` })
    else {
      const shown = isVague ? `no longer takes ${shorten(JSON.stringify(found.value))}` : reason
      changes.set(key, { field, reason: shown, value: found.whole })
    }
  }
  return [...changes.values()]
}
