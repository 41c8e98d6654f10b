import type { CheckedSchema } from '../check-schema.ts'
import { createDocuments, type Document } from './document.ts'
import { givenOf } from './given.ts'
import { suspects } from './rules.ts'
import { createSamples } from './samples.ts'

/** A value that the old schema accepts and the new schema refuses, or may refuse. */
export interface BreakingChange {
  /** The path to the value: `deployment.type`, `platforms[]`; `attributes` for the whole. */
  readonly field: string
  readonly reason: string
  /** A whole value that the old schema accepts and the new schema refuses. None if the change could not be decided. */
  readonly value?: unknown
}

/** The name of the whole value in the result. */
const WHOLE = 'attributes'
/** The work of all validations together, in units of the meter: less than half a second. */
const MOST_WORK = 2_000_000
const UNKNOWN = 'cannot be shown compatible'

const shorten = (value: unknown): string => JSON.stringify(value).replace(/^(.{200}).+$/s, '$1…')

/**
 * Compares two versions of a schema. Returns an empty list only where rules show that the new version accepts every value that the
 * old version accepts. Else the list names each change, with a value that shows it. A change without a value could not be decided.
 */
export const breakingChanges = (before: CheckedSchema, after: CheckedSchema): readonly BreakingChange[] => {
  const work = { units: MOST_WORK }
  const [old, fresh] = createDocuments([before, after], work) as [Document, Document]
  const search = createSamples(work)
  const isCounterexample = (value: unknown) =>
    old.accepts(before.schema, value) === true && fresh.accepts(after.schema, value) === false
  const changes = new Map<string, BreakingChange>()
  const goal = { document: fresh, schema: after.schema }
  for (const {
    place,
    reason,
    given,
    goal: { schema },
  } of suspects(givenOf([{ document: old, schema: before.schema }]), goal)) {
    const field = place.field === '' ? WHOLE : place.field
    const key = `${field} ${reason}`
    const isVague = reason.startsWith(UNKNOWN)
    if (changes.get(key)?.value !== undefined) continue
    const found = search(given, schema, place.steps, isCounterexample)
    if (found === undefined) changes.set(key, { field, reason: isVague ? reason : `${UNKNOWN}: ${reason}` })
    else changes.set(key, { field, reason: isVague ? `no longer takes ${shorten(found.value)}` : reason, value: found.whole })
  }
  return [...changes.values()]
}
