import { InvalidArgumentError } from 'commander'

/** Collects an option that may be repeated. Returns a new list, because all commands share the default list. */
export const collect = (value: string, previous: readonly string[]): readonly string[] => [...previous, value]

/**
 * Reads a decimal whole number.
 *
 * @throws InvalidArgumentError
 */
export const wholeNumber = (text: string): number => {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It takes a whole number.')
  return Number(text)
}

/**
 * Reads an address or host name to listen on, by the same rule as COUNTERSIGN_HOST.
 *
 * @throws InvalidArgumentError
 */
export const host = (text: string): string => {
  // An unset shell variable becomes an empty text, and the server would listen on every address.
  if (!/^[A-Za-z0-9.:_%-]{1,255}$/.test(text)) throw new InvalidArgumentError('It takes an address or a host name.')
  return text
}

/**
 * Reads a TCP port; 0 lets the system choose a free port.
 *
 * @throws InvalidArgumentError
 */
export const port = (text: string): number => {
  const number = wholeNumber(text)
  if (number > 65_535) throw new InvalidArgumentError('It takes a port from 0 to 65535.')
  return number
}
