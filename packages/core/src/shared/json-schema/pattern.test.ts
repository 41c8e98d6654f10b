import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compilePattern, PatternRefused } from './pattern.ts'

/** Parts of patterns that both engines support. */
const atom = fc.constantFrom(
  'a',
  'é',
  '漢',
  '😀',
  '.',
  '\\d',
  '\\D',
  '\\w',
  '\\W',
  '\\s',
  '\\S',
  '[a-c]',
  '[^a-c]',
  '[\\s\\d]',
  '[^\\s]',
  '[\\S]',
  '[.]',
  '\\.',
  '\\u0061',
  '\\u{1F600}',
  '\\uD83D\\uDE00',
  '\\x62',
  '\\cJ',
  '\\/',
  '[^]',
  '\\b',
  '\\p{L}',
  '\\p{Lu}',
  '\\n',
  '[\\b]',
  '[[]',
  '[[:a]',
  '\\P{L}',
  '\\p{Script=Greek}',
  '\\P{sc=Latin}',
  '[\\p{General_Category=Lu}\\d]',
  '[(?=]',
  '\\(?i',
  '\\0',
)
const quantified = fc
  .tuple(atom, fc.constantFrom('', '', '*', '+', '?', '{2}', '{1,3}', '*?'))
  .map(([what, often]) => (what === '\\b' ? what : what + often))
const group = fc.array(quantified, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(''))
const pattern = fc
  .tuple(
    fc.boolean(),
    fc.array(
      fc.oneof(
        quantified,
        group.map((inner) => `(?:${inner})?`),
        fc.tuple(group, group).map((both) => `(${both.join('|')})`),
      ),
      { minLength: 1, maxLength: 4 },
    ),
    fc.boolean(),
  )
  .map(([fromStart, parts, toEnd]) => `${fromStart ? '^' : ''}${parts.join('')}${toEnd ? '$' : ''}`)

const character = fc.constantFrom(
  'a',
  'b',
  'c',
  'A',
  'é',
  'ω',
  '漢',
  '😀',
  '1',
  '_',
  '-',
  '.',
  '/',
  ' ',
  '\t',
  '\v',
  '\n',
  '\r',
  '\u00A0',
  '\u2028',
  '\uFEFF',
  '\u200B',
)
const text = fc.array(character, { maxLength: 8 }).map((characters) => characters.join(''))

describe('a pattern', () => {
  it('matches the same texts as in ECMAScript', () => {
    fc.assert(
      fc.property(pattern, fc.array(text, { minLength: 5, maxLength: 10 }), (source, texts) => {
        const [ours, theirs] = [compilePattern(source), new RegExp(source, 'u')]
        for (const each of texts) expect([each, ours.test(each)]).toStrictEqual([each, theirs.test(each)])
      }),
      { numRuns: 2000 },
    )
  })

  it('matches anywhere in the text, unless it has an anchor', () => {
    expect(compilePattern('b').test('abc')).toBe(true)
    expect(compilePattern('^b').test('abc')).toBe(false)
    expect(compilePattern('').test('abc')).toBe(true)
  })

  it.each(['^(a+)+$', '^(a|a)*$', '^(.*a){20}$', '(x+x+)+y', '^(([a-z])+.)+[A-Z]([a-z])+$'])(
    'runs in linear time: %s',
    (source) => {
      const compiled = compilePattern(source)
      const time = (length: number) => {
        const began = performance.now()
        compiled.test(`${'a'.repeat(length)}!`)
        return performance.now() - began
      }
      time(1000)
      // An engine that backtracks would practically never end.
      expect(time(50_000)).toBeLessThan(5000)
    },
  )

  it.each([
    ['(a)\\1', 'a back-reference'],
    ['(?=a)b', 'a look-ahead'],
    ['(?!a)b', 'a negative look-ahead'],
    ['(?<=a)b', 'a look-behind'],
    ['(?<!a)b', 'a negative look-behind'],
    ['(?<x>a)\\k<x>', 'a named back-reference'],
    ['(?i:a)', 'a change of flags'],
    ['a{1001}', 'a large repetition'],
    ['(a{500}){500}', 'a repetition of repetitions'],
    ['(?:a?b?c?d?){400}', 'a large program'],
  ])('is refused when it does not run in linear time, or is too large: %s (%s)', (source) => {
    expect(() => compilePattern(source)).toThrow(PatternRefused)
  })

  const tooOften = (part: string) =>
    `must repeat nothing more than 1000 times, counts inside each other multiplied, as ${part} does; use maxLength for the length of a text`
  const named = (part: string) =>
    `must name a script in full, as \\p{Script=Greek}, or a category in short, as \\p{Lu}, instead of ${part}`
  const notEcmaScript = (reason: string) => `must be a regular expression of ECMAScript with the u flag (${reason})`
  const noRange = 'Invalid character class: \\w and its like begin and end no range; a hyphen is \\-'

  it.each([
    ['^.{1,2000}$', tooOften('{1,2000}')],
    ['(a{1,100}){1,100}', tooOften('{1,100}')],
    ['^.{0,1000}$', 'must be simpler: it takes 2004 steps, and 1000 are the most'],
    ['\\p{sc=Grek}', named('\\p{Grek}')],
    ['[\\P{ASCII}]', named('\\P{ASCII}')],
    ['\\p{scx=Greek}', named('\\p{scx=Greek}')],
    ['^[\\w-.]+$', notEcmaScript(noRange)],
    ['a/u: \\-', notEcmaScript('Invalid escape')],
    ['(?<=a)b', 'must not look around with (?<=: that takes more than linear time'],
    ['(?!a)b', 'must not look around with (?!: that takes more than linear time'],
    ['(a)\\1', 'must not refer back to a group: that takes more than linear time'],
    ['(?<x>a)\\k<x>', 'must not refer back to a group: that takes more than linear time'],
    ['(?i:a)', 'must not change flags within'],
  ])('is refused with the reason: %s', (source, reason) => {
    expect(() => compilePattern(source)).toThrow(new PatternRefused(reason))
  })

  it.each(['Script=Greek', 'sc=Cyrillic', 'gc=Lu', 'General_Category=Nd'])(
    'has the characters of ECMAScript for %s',
    (property) => {
      const [ours, theirs] = [`^\\p{${property}}$`].flatMap(
        (source) => [compilePattern(source), new RegExp(source, 'u')] as const,
      )
      for (let codePoint = 0; codePoint < 0x3000; codePoint += 1) {
        const character = String.fromCodePoint(codePoint)
        expect([codePoint, ours?.test(character)]).toStrictEqual([codePoint, theirs?.test(character)])
      }
    },
  )

  it.each(['(', '[', 'a{2', '*a', '\\', '[z-a]', '(?i)a', '(?P<x>a)', '\\Q', 'a{,3}x}', '\\u{110000}'])(
    'is refused when it is not valid in ECMAScript: %s',
    (source) => {
      expect(() => compilePattern(source)).toThrow('must be a regular expression of ECMAScript with the u flag')
    },
  )
})
