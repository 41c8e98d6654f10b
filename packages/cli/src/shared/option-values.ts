import { InvalidArgumentError } from 'commander'

/** Options with a text each, all of which may be missing. */
export type Texts<N extends string> = { readonly [K in N]?: string }

/** Options without a value. */
export type Flags<N extends string> = { readonly [K in N]?: boolean }

/** Collects an option that may be repeated. Returns a new list, because all commands share the default list. */
export const collect = (value: string, previous: readonly string[]): readonly string[] => [...previous, value]

/** Reads a decimal whole number. @throws InvalidArgumentError */
export const wholeNumber = (text: string): number => {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It takes a whole number.')
  return Number(text)
}

/** Reads the number of items on a page. @throws InvalidArgumentError */
export const pageSize = (text: string): number => {
  const size = wholeNumber(text)
  if (size < 1 || size > 1000) throw new InvalidArgumentError('It takes a whole number from 1 to 1000.')
  return size
}

/** Reads a user: digits are the id, and anything else is an email. */
export const userIdOrEmail = (text: string): { readonly userId: number } | { readonly email: string } =>
  /^\d{1,15}$/.test(text) ? { userId: Number(text) } : { email: text }

/** Reads an address or host name to listen on, by the same rule as COUNTERSIGN_HOST. @throws InvalidArgumentError */
export const host = (text: string): string => {
  // An unset shell variable becomes an empty text, and the server would listen on every address.
  if (!/^[A-Za-z0-9.:_%-]{1,255}$/.test(text)) throw new InvalidArgumentError('It takes an address or a host name.')
  return text
}

/** Reads a TCP port; 0 lets the system choose a free port. @throws InvalidArgumentError */
export const port = (text: string): number => {
  const number = wholeNumber(text)
  if (number > 65_535) throw new InvalidArgumentError('It takes a port from 0 to 65535.')
  return number
}

const DATE = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?Z)?$/

/** Reads a date, which means its first moment in UTC, or a timestamp, as milliseconds. @throws InvalidArgumentError */
export const instant = (text: string): number => {
  const time = DATE.test(text) ? Date.parse(text) : Number.NaN
  // JavaScript reads the 30th of February as the 2nd of March.
  if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== text.slice(0, 10))
    throw new InvalidArgumentError('It takes a date such as 2026-01-31, or a timestamp such as 2026-01-31T12:00:00Z.')
  return time
}

const DAY = 86_400_000

/** Reads a date, which means its last moment in UTC, or a timestamp as `instant` does. */
export const lastInstant = (text: string): number => instant(text) + (text.includes('T') ? 0 : DAY - 1)
