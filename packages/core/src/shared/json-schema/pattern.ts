import { RE2JS, RE2JSException } from 're2js'

/** The most instructions of a pattern. They bound the time of a match. */
const MAX_PATTERN_SIZE = 1000
/** The most repetitions that RE2 allows. */
const MOST_REPETITIONS = 1000

export interface Pattern {
  readonly source: string
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

/** Matches a pair of escaped surrogates, a property, any other escape, the start of a group with a mark, or one character. */
const TOKEN = /\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\[pP]\{[^}]*\}|\\[\s\S]|\(\?(?:<?[=!]|[ims-])|[\s\S]/g

const codePointOfPair = (token: string): string =>
  ((Number.parseInt(token.slice(2, 6), 16) - 0xd800) * 0x400 + (Number.parseInt(token.slice(8), 16) - 0xdc00) + 0x10000).toString(
    16,
  )

/** RE2 names a script or a category without the name of the property. */
const propertyOf = (token: string): string => token.replace(/\{(?:Script|sc|General_Category|gc)=/, '{')

/** Refuses what needs backtracking, or has no meaning in every ECMAScript. @throws PatternRefused */
const refuseToken = (token: string): void => {
  if (/^\\[k1-9]$/.test(token)) throw new PatternRefused('must not refer back to a group: that takes more than linear time')
  if (/^\(\?<?[=!]$/.test(token)) throw new PatternRefused(`must not look around with ${token}: that takes more than linear time`)
  if (token.startsWith('(?')) throw new PatternRefused('must not change flags within')
}

/** Translates a token that has another meaning in RE2 than in ECMAScript. @throws PatternRefused */
const toRe2 = (token: string, inClass: boolean): string => {
  if (/^\\[pP]\{/.test(token)) return propertyOf(token)
  if (/^\\u./.test(token)) return `\\x{${codePointOfPair(token)}}`
  if (!inClass) refuseToken(token)
  if (token === '\\s') return inClass ? WHITE : `[${WHITE}]`
  if (token === '\\S') return inClass ? NOT_WHITE : `[${NOT_WHITE}]`
  if (token === '.' && !inClass) return `[^${LINE_END}]`
  if (token === '\\b' && inClass) return String.raw`\x{8}`
  if (token === '[' && inClass) return String.raw`\[`
  return token
}

/** Translates a valid ECMAScript pattern (with the `u` flag) for RE2. @throws PatternRefused */
const translate = (source: string): string => {
  let inClass = false
  const tokens = source.replace(TOKEN, (token) => {
    const translated = toRe2(token, inClass)
    if (token === '[') inClass = true
    else if (token === ']') inClass = false
    return translated
  })
  return RE2JS.translateRegExp(tokens)
}

/** Says why V8 refuses a pattern. The words of V8 follow the pattern. */
const reasonOfV8 = (error: unknown): string => {
  const reason = String(error).split('/u: ').at(-1)
  const help = reason === 'Invalid character class' ? String.raw`: \w and its like begin and end no range; a hyphen is \-` : ''
  return `must be a regular expression of ECMAScript with the u flag (${reason}${help})`
}

/** Says why RE2 refuses a pattern that ECMAScript takes. */
const reasonOfRe2 = ({ message }: RE2JSException): string => {
  const [, reason = message, part = ''] = /^error parsing regexp: (.*?): `([^`]{0,100})/.exec(message) ?? []
  if (reason === 'invalid repeat count') {
    return `must repeat nothing more than ${MOST_REPETITIONS} times, counts inside each other multiplied, as ${part} does; use maxLength for the length of a text`
  }
  if (/^\\p/i.test(part)) {
    return String.raw`must name a script in full, as \p{Script=Greek}, or a category in short, as \p{Lu}, instead of ${part}`
  }
  return `must be a regular expression that runs in linear time (${reason}: ${part})`
}

/**
 * Compiles an ECMAScript pattern for RE2, which runs in linear time, without look-around and back-references. @throws
 * PatternRefused
 */
export const compilePattern = (source: string): Pattern => {
  try {
    new RegExp(source, 'u')
  } catch (cause) {
    throw new PatternRefused(reasonOfV8(cause), { cause })
  }
  try {
    const compiled = RE2JS.compile(translate(source))
    const size = compiled.programSize()
    if (size > MAX_PATTERN_SIZE)
      throw new PatternRefused(`must be simpler: it takes ${size} steps, and ${MAX_PATTERN_SIZE} are the most`)
    const { dfa } = compiled.re2()
    return { source, size, test: (text) => compiled.test(text), statesMade: () => dfa.stateCount }
  } catch (cause) {
    if (!(cause instanceof RE2JSException)) throw cause
    throw new PatternRefused(reasonOfRe2(cause), { cause })
  }
}
