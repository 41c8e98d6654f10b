import { describe, expect, it } from 'vitest'
import { chooseLanguage, isolated, signedDisplay } from './index.ts'

describe('the language of a display', () => {
  it.each([
    ['de', ['en', 'de'], 'de'],
    ['DE-ch', ['en', 'de'], 'de'],
    ['zh-Hant-TW', ['zh', 'zh-Hant'], 'zh-Hant'],
    ['pt', ['en', 'pt-BR'], 'pt-BR'],
    ['pt-PT', ['en', 'pt-BR'], 'pt-BR'],
    ['fr', ['de', 'en'], 'en'],
    ['fr', ['de', 'en-GB'], 'en-GB'],
    ['fr', ['pl', 'de'], 'de'],
    [undefined, ['de', 'en'], 'en'],
    ['', ['de', 'en'], 'en'],
    ['d', ['de', 'en'], 'en'],
    ['en', [], undefined],
  ])('for %j among %j is %j', (asked, languages, chosen) => {
    expect(chooseLanguage(languages, asked)).toBe(chosen)
  })
})

describe('a signed display', () => {
  const display = {
    en: {
      title: 'Wire',
      lines: [
        { label: 'To', value: isolated('Ada\u200c') },
        { label: 'Note', value: '—' },
      ],
    },
    de: { title: 'Überweisung', lines: [] },
  }

  it('is returned unchanged', () => {
    expect(signedDisplay(display)).toStrictEqual({ language: 'en', direction: 'ltr', ...display.en })
    expect(signedDisplay(display, 'de-AT')).toStrictEqual({ language: 'de', direction: 'ltr', ...display.de })
    const arabic = { ...display, ar: { direction: 'ltr', title: 'تحويل', lines: [] } }
    expect(signedDisplay(arabic, 'ar')).toStrictEqual({ language: 'ar', direction: 'rtl', title: 'تحويل', lines: [] })
  })

  it('keeps isolates around parts of a value, and the mark of a line that leads', () => {
    const lines = [
      { label: 'Item', value: `\u2068${isolated('10')} × ${isolated('Screws')}\u2069`, lead: true },
      { label: 'To', value: '\u2068\u2068\u2069\u2069' },
    ]
    expect(signedDisplay({ en: { title: 'Order', lines } })?.lines).toStrictEqual(lines)
  })

  it('of a dishonest service shows its hidden characters', () => {
    const lines = [
      { label: 'T\u200bo', value: '\u2068A\u202eda\u2069' },
      { label: 'To', value: 'a\u2068b' },
      { label: 'To', value: '\u2068x\u2069\u202ey\u2069' },
      { label: 'To', value: '\u2069x\u2068' },
      { label: 'To', value: '\u2068\u2068x\u202e\u2069y', lead: 1 },
      { label: 'To', value: '\u2068a\u2068b\u202ec\u2069\nd\u2069' },
    ]
    expect(signedDisplay({ en: { title: 'W\u00adire', lines } })).toStrictEqual({
      language: 'en',
      direction: 'ltr',
      title: 'W\\u{ad}ire',
      lines: [
        { label: 'T\\u{200b}o', value: '\u2068A\\u{202e}da\u2069' },
        { label: 'To', value: 'a\\u{2068}b' },
        { label: 'To', value: '\u2068x\\u{2069}\\u{202e}y\u2069' },
        { label: 'To', value: '\\u{2069}x\\u{2068}' },
        { label: 'To', value: '\\u{2068}\\u{2068}x\\u{202e}\\u{2069}y' },
        { label: 'To', value: '\u2068a\u2068b\\u{202e}c\u2069↵d\u2069' },
      ],
    })
  })

  it.each([null, undefined, 1, 'text', {}, { en: null }, { en: { title: 1, lines: [] } }, { en: { title: 'x', lines: {} } }])(
    'is undefined for %j',
    (malformed) => {
      expect(signedDisplay(malformed)).toBeUndefined()
    },
  )

  it.each([[[null]], [[{ label: 'x' }]], [[{ label: 1, value: 'x' }]]])('is undefined for the lines %j', (lines) => {
    expect(signedDisplay({ en: { title: 'x', lines } })).toBeUndefined()
  })
})
