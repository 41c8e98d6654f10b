import { closestMatch } from 'leven'
import { namedSettings } from './settings.ts'

/** A set variable that no code reads. Most likely its name is mistyped. */
export interface UnknownVariable {
  /** The name, with invisible characters as `\\u…` escapes. */
  readonly name: string
  /** The most similar known name. */
  readonly nearest: string
}

const PREFIX = 'COUNTERSIGN_'
const known = namedSettings.map(([, { variable }]) => variable)

/** The variables that Kubernetes sets in every container if a service is called `countersign`. */
const KUBERNETES_NAMES = /^COUNTERSIGN_(?:SERVICE_(?:HOST|PORT(?:_\w+)?)|PORT_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?)$/

/** Marks and blanks: everything that no name of a variable contains, such as the byte order mark of a file. */
const MARKS = /[^A-Za-z0-9_]/gu

/** Removes marks and blanks. Older versions of Node read a byte order mark, its line and the next one as one name. */
const withoutMarks = (name: string): string => name.slice(name.lastIndexOf('\n') + 1).replaceAll(MARKS, '')

const shown = (name: string): string =>
  name.replaceAll(/[^\x21-\x7e]/gu, (mark) => `\\u${(mark.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`)

/** Returns the set variables whose names are known ones but for marks and blanks, such as a byte order mark of a file. */
export const misspelled = (env: Readonly<Record<string, string | undefined>>): readonly UnknownVariable[] =>
  Object.entries(env).flatMap(([name, value]) => {
    const nearest = withoutMarks(name)
    const isMisspelled = nearest !== name && value !== undefined && value !== '' && [...known, 'NODE_ENV'].includes(nearest)
    return isMisspelled ? [{ name: shown(name), nearest }] : []
  })

const isUnknown = ([name, value]: readonly [string, string | undefined]): boolean =>
  value !== undefined &&
  value !== '' &&
  withoutMarks(name).toUpperCase().startsWith(PREFIX) &&
  !known.includes(name) &&
  !known.includes(withoutMarks(name)) &&
  !KUBERNETES_NAMES.test(name)

/** Returns the set variables that no code reads: with our prefix in any case, or with a known name but for marks and blanks. */
export const unknownVariables = (env: Readonly<Record<string, string | undefined>>): readonly UnknownVariable[] => [
  ...Object.entries(env)
    .filter(isUnknown)
    .map(([name]) => ({ name: shown(name), nearest: closestMatch(withoutMarks(name).toUpperCase(), known) ?? PREFIX })),
  ...misspelled(env),
]
