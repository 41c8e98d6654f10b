import type { Instant } from '../../shared/clock.ts'

/** Returns the year of a unique code: the current year in UTC. */
export const codeYear = (now: Instant): number => new Date(now).getUTCFullYear()

/** Returns `PRJ-<year>-<number>`, with a number of at least six digits. */
export const defaultUniqueCode = ({ year, number }: { readonly year: number; readonly number: number }): string =>
  `PRJ-${year}-${String(number).padStart(6, '0')}`

/** The host's function `projectCode` returned an invalid code. This is a bug of the host, which no caller can fix. */
export class ProjectCodeMistake extends Error {
  override readonly name = 'ProjectCodeMistake'
}
