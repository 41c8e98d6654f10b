import { RE2JS, RE2JSException } from 're2js'

/** What a pattern costs is bounded by how many instructions it has. */
const MAX_PATTERN_SIZE = 1000

export interface Pattern {
  readonly source: string
  /** How many instructions it has. */
  readonly size: number
  /** Whether the pattern matches somewhere in the text, in time linear in its length. */
  test(text: string): boolean
  /** How many states of its automaton are known by now; each is made when it is first reached, which is what costs. */
  statesMade(): number
}

/** A pattern that is not taken; the message says why. */
export class PatternRefused extends Error {}

const WHITE = String.raw`\x{9}-\x{D}\x{20}\x{A0}\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000}\x{FEFF}`
const NOT_WHITE = String.raw`\x{0}-\x{8}\x{E}-\x{1F}\x{21}-\x{9F}\x{A1}-\x{167F}\x{1681}-\x{1FFF}\x{200B}-\x{2027}\x{202A}-\x{202E}\x{2030}-\x{205E}\x{2060}-\x{2FFF}\x{3001}-\x{FEFE}\x{FF00}-\x{10FFFF}`
const LINE_END = String.raw`\n\r\x{2028}\x{2029}`

/** A pair of escaped surrogates, any other escape, or one character. */
const TOKEN = /\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\[\s\S]|[\s\S]/g

const codePointOfPair = (token: string): string =>
  ((Number.parseInt(token.slice(2, 6), 16) - 0xd800) * 0x400 + (Number.parseInt(token.slice(8), 16) - 0xdc00) + 0x10000).toString(
    16,
  )

/** What ECMAScript means by a token where RE2 would mean something else. @throws PatternRefused */
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

/** Turns a valid ECMAScript pattern (with the `u` flag) into the same pattern for RE2. @throws PatternRefused */
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
 * Compiles a pattern of ECMAScript, as JSON Schema asks for (draft-07, section 4.3), for an engine whose time is linear in
 * the text, whatever the pattern: what would need backtracking (look-around, back-references) is refused.
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
