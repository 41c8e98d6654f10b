import type { Instant } from '../../shared/clock.ts'

/** Matches a code that can be a segment of a URL path and a value in an import file. */
const CODE = /^(?!\.{1,2}$)[^\p{Cc}\p{Cs}/\\]{1,255}$/u

/** Returns the year of a unique code: the current year in UTC. */
export const codeYear = (now: Instant): number => new Date(now).getUTCFullYear()

/** Returns `PRJ-<year>-<number>`, with a number of at least six digits. */
export const defaultUniqueCode = ({ year, number }: { readonly year: number; readonly number: number }): string =>
  `PRJ-${year}-${String(number).padStart(6, '0')}`

/** The host's function `projectCode` returned an invalid code. This is a bug of the host, which no caller can fix. */
export class ProjectCodeMistake extends Error {
  override readonly name = 'ProjectCodeMistake'
}

/** Returns the code. @throws ProjectCodeMistake for an invalid code. The error does not show the code. */
export const requireProjectCode = (code: unknown): string => {
  if (typeof code === 'string' && CODE.test(code)) return code
  throw new ProjectCodeMistake(
    'the option projectCode must give text of 1 to 255 characters without slash, backslash and control characters, and not . or ..',
  )
}
