import { limits } from '@countersign/contract'
import { createScanner } from 'jsonc-parser'
import { JsonRefused } from './json-refused.ts'

/** Returns the text without the zeros at its end. A loop, because a pattern would take quadratic time on many zeros. */
const withoutLastZeros = (digits: string): string => {
  let end = digits.length
  while (digits[end - 1] === '0') end -= 1
  return digits.slice(0, end)
}

/** Returns the one text of a decimal: its sign, its digits without zeros at both ends, and its exponent. */
const normalForm = (decimal: string): string => {
  const [mantissa = '', exponent = '0'] = decimal.toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.')
  const digits = (whole + fraction).replace(/^0+/, '')
  const significant = withoutLastZeros(digits)
  if (significant === '') return '0'
  const sign = mantissa.startsWith('-') ? '-' : ''
  return `${sign}${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`
}

/** A number of at most 15 digits without an exponent. A double keeps so many digits (IEEE 754-2019 §5.12.2). */
const SHORT = /^-?[\d.]{1,15}$/

/** Returns whether a number and its double have the same digits: `1250.50` and `1e21` do, `12345678901234567891` does not. */
export const isExactNumber = (source: string): boolean =>
  SHORT.test(source) || normalForm(source) === normalForm(String(Number(source)))

/** Says in an error what a number takes that is not exact. */
export const takesExactNumber = 'must be a number that a double holds with all its digits; send a longer number as text'

/** An object or a list that the scanner has entered and not left. */
interface Frame {
  /** The names of the members so far; `undefined` for a list. */
  readonly names: Set<string> | undefined
  /** The name of the current member, or the index of the current item. */
  at: string | number
  /** `true` if the next string is a name. */
  isBeforeName: boolean
}

const UNSTORABLE = /[\0\p{Surrogate}]/u

const isNumber = (token: string): boolean => /^[-\d]/.test(token)

const refuse = (frames: readonly Frame[], takes: string): never => {
  const path = frames.map(({ at }) => at)
  throw new JsonRefused(path, takes)
}

const enterMember = (frames: readonly Frame[], frame: Frame, names: Set<string>, name: string): void => {
  const around = frames.slice(0, -1)
  if (UNSTORABLE.test(name)) refuse(around, 'must not have names that contain NUL or unpaired surrogates')
  // The error names the surrounding object. A field named `__proto__` in an error body could harm a careless client.
  if (name === '__proto__') refuse(around, 'must not have a member named __proto__')
  frame.at = name
  frame.isBeforeName = false
  if (names.has(name)) refuse(frames, 'must not be given twice')
  names.add(name)
}

interface Inspection {
  /** The most objects and lists inside each other; by default the limit for request bodies. */
  readonly depth?: number
  /** Returns whether a member of the outermost object is used. Numbers in other members may be inexact. */
  readonly isKept?: (member: string) => boolean
}

/**
 * Checks valid JSON for what `JSON.parse` hides or changes, or no database can store: duplicate names, `__proto__`, inexact
 * numbers, NUL, unpaired surrogates and deep nesting. Does not recurse. Returns the text of each member of the outermost object.
 * @throws JsonRefused with the path and the message
 */
export const inspectJson = (
  text: string,
  { depth = limits.bodyDepth, isKept = () => true }: Inspection = {},
): ReadonlyMap<string, string> => {
  const scanner = createScanner(text, true)
  const frames: Frame[] = []
  const members = new Map<string, string>()
  let memberStart = 0

  /** Stores the text of a value that ends here, if it is a member of the outermost object. */
  const endValue = (): void => {
    const [outermost] = frames
    if (frames.length !== 1 || outermost === undefined) return
    members.set(String(outermost.at), text.slice(memberStart, scanner.getPosition()))
  }
  const beginValue = (): void => {
    if (frames.length === 1) memberStart = scanner.getTokenOffset()
  }
  const open = (names: Set<string> | undefined): void => {
    beginValue()
    if (frames.length >= depth) throw new JsonRefused([], `must be nested at most ${depth} levels deep`)
    frames.push({ names, at: names === undefined ? 0 : '', isBeforeName: names !== undefined })
  }

  const checkLiteral = (token: string): void => {
    if (!isNumber(token)) return
    // `JSON.parse` would make the number infinite.
    if (!Number.isFinite(Number(token))) refuse(frames, 'must be a number that a double can hold')
    if (!isExactNumber(token) && isKept(String(frames[0]?.at))) refuse(frames, takesExactNumber)
  }

  for (;;) {
    scanner.scan()
    const frame = frames.at(-1)
    switch (text[scanner.getTokenOffset()]) {
      case undefined:
        return members
      case '{':
        open(new Set())
        break
      case '[':
        open(undefined)
        break
      case '}':
      case ']':
        frames.pop()
        endValue()
        break
      case ',':
        if (frame === undefined) break
        if (typeof frame.at === 'number') frame.at += 1
        else frame.isBeforeName = true
        break
      case ':':
        break
      case '"': {
        const value = scanner.getTokenValue()
        if (frame?.names !== undefined && frame.isBeforeName) {
          enterMember(frames, frame, frame.names, value)
          break
        }
        beginValue()
        if (UNSTORABLE.test(value)) refuse(frames, 'must not contain NUL or unpaired surrogates')
        endValue()
        break
      }
      default:
        beginValue()
        checkLiteral(scanner.getTokenValue())
        endValue()
    }
  }
}
