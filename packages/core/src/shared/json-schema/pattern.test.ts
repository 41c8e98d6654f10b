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

  it.each(['(', '[', 'a{2', '*a', '\\', '[z-a]', '(?i)a', '(?P<x>a)', '\\Q', 'a{,3}x}', '\\u{110000}'])(
    'is refused when it is not valid in ECMAScript: %s',
    (source) => {
      expect(() => compilePattern(source)).toThrow('must be a regular expression of ECMAScript with the u flag')
    },
  )
})
