import { days, type Milliseconds } from './clock.ts'
import { type BoundedOption, LONGEST_DURATION, orWord, wholeNumber } from './option.ts'

/** A time for which finished records are kept, or `forever`. */
export type Retention = Milliseconds | 'forever'

/** A day: at least as long as a request, a challenge or a service token can wait for a person. */
const SHORTEST_RETENTION = days(1)

/** Declares an option that is a `Retention`. */
export const retention = (preset: Milliseconds): BoundedOption<Retention> => {
  const error = 'must be forever, or whole milliseconds, from one day to 100 years'
  const time = wholeNumber(preset, SHORTEST_RETENTION, LONGEST_DURATION, error)
  return { ...time, schema: orWord('forever', time.schema) }
}
