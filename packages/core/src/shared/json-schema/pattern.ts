import { RE2JS, RE2JSException } from 're2js'

/** The most instructions of a pattern. They bound the time of a match. */
const MAX_PATTERN_SIZE = 1000

/** A compiled pattern. */
export interface Pattern {
  readonly source: string
  /** The number of instructions. */
  readonly size: number
  /** Returns whether the pattern matches somewhere in the text, in time linear in the text's length. */
  test(text: string): boolean
  /** Returns the number of states that the automaton has made so far. Making a state is the expensive part of a match. */
  statesMade(): number
}

/** The pattern cannot be used. The message says why. */
export class PatternRefused extends Error {}

const WHITE = String.raw`\x{9}-\x{D}\x{20}\x{A0}\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000}\x{FEFF}`
const NOT_WHITE = String.raw`\x{0}-\x{8}\x{E}-\x{1F}\x{21}-\x{9F}\x{A1}-\x{167F}\x{1681}-\x{1FFF}\x{200B}-\x{2027}\x{202A}-\x{202E}\x{2030}-\x{205E}\x{2060}-\x{2FFF}\x{3001}-\x{FEFE}\x{FF00}-\x{10FFFF}`
const LINE_END = String.raw`\n\r\x{2028}\x{2029}`

/** Matches a pair of escaped surrogates, any other escape, or one character. */
const TOKEN = /\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\[\s\S]|[\s\S]/g

const codePointOfPair = (token: string): string =>
  ((Number.parseInt(token.slice(2, 6), 16) - 0xd800) * 0x400 + (Number.parseInt(token.slice(8), 16) - 0xdc00) + 0x10000).toString(
    16,
  )

/** Translates a token that has another meaning in RE2 than in ECMAScript. @throws PatternRefused */
const toRe2 = (token: string, inClass: boolean): string => {
  if (token.length > 2) return `\\x{${codePointOfPair(token)}}`
  if (token === '\\k') throw new PatternRefused('must not refer back to a group: that takes more than linear time')
  if (token === '\\s') return inClass ? WHITE : `[${WHITE}]`
  if (token === '\\S') return inClass ? NOT_WHITE : `[${NOT_WHITE}]`
  if (token === '.' && !inClass) return `[^${LINE_END}]`
  if (token === '\\b' && inClass) return String.raw`\x{8}`
  if (token === '[' && inClass) return String.raw`\[`
  return token
}

/** Translates a valid ECMAScript pattern (with the `u` flag) for RE2. @throws PatternRefused */
const translate = (source: string): string => {
  if (/\(\?[ims-]/.test(source)) throw new PatternRefused('must not change flags within')
  let inClass = false
  const tokens = source.replace(TOKEN, (token) => {
    const translated = toRe2(token, inClass)
    if (token === '[') inClass = true
    else if (token === ']') inClass = false
    return translated
  })
  return RE2JS.translateRegExp(tokens)
}

/**
 * Compiles an ECMAScript pattern, which JSON Schema uses (draft-07, section 4.3), for RE2, which runs in linear time. Refuses
 * look-around and back-references, which need backtracking.
 *
 * @throws PatternRefused
 */
export const compilePattern = (source: string): Pattern => {
  try {
    new RegExp(source, 'u')
  } catch (cause) {
    throw new PatternRefused('must be a regular expression of ECMAScript with the u flag', { cause })
  }
  try {
    const compiled = RE2JS.compile(translate(source))
    const size = compiled.programSize()
    if (size > MAX_PATTERN_SIZE)
      throw new PatternRefused(`must be simpler: it takes ${size} steps, at most ${MAX_PATTERN_SIZE} are taken`)
    const { dfa } = compiled.re2()
    return { source, size, test: (text) => compiled.test(text), statesMade: () => dfa.stateCount }
  } catch (cause) {
    if (!(cause instanceof RE2JSException)) throw cause
    throw new PatternRefused(
      `must be a regular expression that runs in linear time (${cause.message.replace(/^error parsing regexp: /, '')})`,
      {
        cause,
      },
    )
  }
}
