import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isolated, readableText, renderDisplay } from './index.ts'

const definition = {
  title: { en: 'Title' },
  lines: [
    { label: { en: 'Money' }, pointer: '/amount', format: 'money', currency: '/currency' },
    { label: { en: 'Text' }, pointer: '/a~1b/~0c', format: 'text' },
    { label: { en: 'List' }, pointer: '/list', format: 'list' },
  ],
} as const

const valuesOf = (payload: unknown) => renderDisplay(definition, payload).en?.lines.map(({ value }) => value)

describe('a readable text', () => {
  it.each([
    ['a right-to-left override', 'a\u202eb', 'a\\u{202e}b'],
    ['an isolate', '\u2066x\u2069', '\\u{2066}x\\u{2069}'],
    ['a zero-width space', 'a\u200bb', 'a\\u{200b}b'],
    ['a soft hyphen', 'a\u00adb', 'a\\u{ad}b'],
    ['a line break', 'a\nb\u2028c', 'a\\u{a}b\\u{2028}c'],
    ['a tag character', 'a\u{e0041}', 'a\\u{e0041}'],
    ['a variation selector', 'a\ufe0f', 'a\\u{fe0f}'],
    ['a Hangul filler', '\u3164', '\\u{3164}'],
    ['a NUL', '\0', '\\u{0}'],
  ])('shows %s', (_, text, shown) => {
    expect(readableText(text)).toBe(shown)
  })

  it('keeps joiners, marks and every visible character', () => {
    for (const text of ['Ada’s Workshop', 'می\u200cخواهم', 'क\u200d्ष', 'e\u0301', '漢字 🙂'])
      expect(readableText(text)).toBe(text)
  })

  it('never has a hidden character, and is isolated', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(readableText(text)).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u)
        expect(isolated(text)).toBe(`\u2068${readableText(text)}\u2069`)
      }),
    )
  })
})

describe('a rendered display', () => {
  it('writes money as a number of RFC 8785, a space and the code', () => {
    const money = (amount: unknown, currency?: unknown) => valuesOf({ amount, currency })?.[0]
    expect(money(1250.5, 'EUR')).toBe(isolated('1250.5 EUR'))
    expect(money(1e21, 'JPY')).toBe(isolated('1e+21 JPY'))
    expect(money(0, 'E\u202e')).toBe(isolated('0 E\u202e'))
    expect(money(5)).toBe(isolated('5 —'))
    expect(money(undefined, 'EUR')).toBe(isolated('— EUR'))
    expect(money(undefined)).toBe('—')
  })

  it('follows JSON pointers with escapes, and only own members', () => {
    expect(valuesOf({ 'a/b': { '~c': true } })?.[1]).toBe(isolated('true'))
    expect(valuesOf({ 'a/b': 'text' })?.[1]).toBe('—')
    const inherited = { ...definition, lines: [{ label: { en: 'x' }, pointer: '/constructor/name', format: 'text' }] } as const
    expect(renderDisplay(inherited, {}).en?.lines[0]?.value).toBe('—')
  })

  it('has one line for each item of a list, and one for an empty or absent list', () => {
    expect(valuesOf({ list: ['a', 2] })?.slice(2)).toStrictEqual([isolated('a'), isolated('2')])
    expect(valuesOf({ list: [] })?.slice(2)).toStrictEqual(['—'])
    expect(valuesOf({})?.slice(2)).toStrictEqual(['—'])
  })
})
