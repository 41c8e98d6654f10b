import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { actionTypes } from '../vocabulary.ts'
import {
  builtInWords,
  type DisplayDefinition,
  directionOf,
  isBuiltInType,
  isolated,
  type ProductDefinition,
  renderDisplay,
  shippedLanguages,
  vouchingWords,
} from './index.ts'
import { isVisible, readableText } from './readable.ts'

const asked = { requester: 'Ada', onBehalfOf: null, tenant: null, context: null }
const value = isolated
/** A line of several parts, each between isolates. */
const parts = (text: string): string => `\u2068${text.replaceAll('{', '\u2068').replaceAll('}', '\u2069')}\u2069`
const askedRow = ['Asked by', value('Ada')]

const rowsOf = (definition: ProductDefinition, payload: Readonly<Record<string, unknown>>, language = 'en') =>
  renderDisplay(definition, payload, asked)[language]?.lines.map(({ label, value }) => [label, value]) ?? []

/** The lines of a built-in type, without the line that says who asks. */
const rows = (actionType: (typeof actionTypes)[number], payload: Readonly<Record<string, unknown>>, language?: string) =>
  rowsOf(builtInWords[actionType], payload, language).slice(0, -1)

describe('a readable text', () => {
  it.each([
    ['a right-to-left override', 'a\u202eb', 'a\\u{202e}b'],
    ['an isolate', '\u2066x\u2069', '\\u{2066}x\\u{2069}'],
    ['a zero-width space', 'a\u200bb', 'a\\u{200b}b'],
    ['a soft hyphen', 'a\u00adb', 'a\\u{ad}b'],
    ['line breaks', 'a\nb\r\nc\rd\u2028e', 'a↵b↵c\\u{d}d\\u{2028}e'],
    ['a tag character', 'a\u{e0041}', 'a\\u{e0041}'],
    ['a variation selector', 'a\ufe0f', 'a\\u{fe0f}'],
    ['a Hangul filler', '\u3164', '\\u{3164}'],
    ['a NUL', '\0', '\\u{0}'],
    ['a blank of Braille', 'a\u2800', 'a\\u{2800}'],
    ['a note without a head', '\u{1d159}', '\\u{1d159}'],
    ['a lone joiner', '\u200d', '\\u{200d}'],
    ['a joiner between letters that do not join', 'Ad\u200ca', 'Ad\\u{200c}a'],
    ['a joiner at an end', '\u0645\u200c', '\u0645\\u{200c}'],
    ['more than four marks on a letter', `e${'\u0301'.repeat(6)}x`, `e${'\u0301'.repeat(4)}\\u{301}\\u{301}x`],
    [
      'marks that joiners split',
      `क${'\u093c'.repeat(3)}\u200d${'\u093c'.repeat(2)}`,
      `क${'\u093c'.repeat(3)}\u200d\u093c\\u{93c}`,
    ],
  ])('shows %s', (_, text, shown) => {
    expect(readableText(text)).toBe(shown)
  })

  it('keeps joiners, marks and every visible character', () => {
    for (const text of ['Ada’s Workshop', 'می\u200cخواهم', 'क\u200d्ष', 'e\u0301', '漢字 🙂'])
      expect(readableText(text)).toBe(text)
  })

  it('has at most four marks in a row, whatever the text', () => {
    const unit = fc.constantFrom('e', 'क', '\u0301', '\u093c', '\u200c', '\u200d', '👨', ' ')
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 40 }), (text) => {
        expect(readableText(text).replaceAll(/[\u200c\u200d]/g, '')).not.toMatch(/\p{M}{5}/u)
      }),
    )
  })

  it('never contains a hidden character, and is surrounded by isolates', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(readableText(text)).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u)
        expect(isolated(text)).toBe(`\u2068${readableText(text)}\u2069`)
      }),
    )
  })
})

describe('a text with a visible character', () => {
  it.each(['a', '0', '.', '€', '漢', 'ع', '🙂', ' x ', '\u2800x'])('is %j', (text) => expect(isVisible(text)).toBe(true))
  it.each([
    '',
    ' ',
    '\t\n',
    '\u00a0',
    '\u2800',
    '\u3164',
    '\u115f',
    '\uffa0',
    '\u{1d159}',
    '\u200d',
    '\u0301',
    '\u{16fe4}',
    '\u202e',
    '\u{e0041}',
  ])('is not %j', (text) => expect(isVisible(text)).toBe(false))
})

describe('the words of a registered type', () => {
  const definition = {
    title: { en: 'Title', pl: 'Tytuł' },
    lines: [
      { label: { en: 'Money', pl: 'Kwota' }, pointer: '/amount', format: 'money', currency: '/currency' },
      { label: { en: 'Text', pl: 'Tekst' }, pointer: '/a~1b/~0c', format: 'text' },
      { label: { en: 'List', pl: 'Lista' }, pointer: '/list', format: 'list' },
    ],
  } as const satisfies DisplayDefinition
  const valuesOf = (payload: Readonly<Record<string, unknown>>, language = 'en') =>
    rowsOf(definition, payload, language).map(([, shown]) => shown)

  it('write money as their language does, and without digit groups in a language that the product has no texts for', () => {
    expect(valuesOf({ amount: 1250.5, currency: 'EUR' })[0]).toBe(value('1,250.50 EUR'))
    expect(valuesOf({ amount: 1250.5, currency: 'EUR' }, 'pl')[0]).toBe(value('1250.50 EUR'))
    expect(valuesOf({})[0]).toBe('—')
  })

  it('follow JSON pointers with escapes, and read only own members of the payload', () => {
    expect(valuesOf({ 'a/b': { '~c': true } })[1]).toBe(value('yes'))
    expect(valuesOf({ 'a/b': 'text' })[1]).toBe('—')
    const inherited = { ...definition, lines: [{ label: { en: 'x' }, pointer: '/constructor/name', format: 'text' }] } as const
    expect(rowsOf(inherited, {})[0]).toStrictEqual(['x', '—'])
  })

  it('have one line for each item of a list, and one for an empty or absent list', () => {
    expect(valuesOf({ list: ['a', 2] }).slice(2)).toStrictEqual([value('a'), value('2'), value('Ada')])
    expect(valuesOf({ list: [] }).slice(2)).toStrictEqual(['—', value('Ada')])
  })

  it('say in English who asks if the product has no texts in the language', () => {
    expect(rowsOf(definition, {}, 'pl').at(-1)).toStrictEqual(askedRow)
  })
})

describe('the words of a built-in type', () => {
  it.each([
    ['en', 'ltr', 'Payment', ['Amount', '1,250.00 EUR'], 'Recipient', 'Asked by'],
    ['de', 'ltr', 'Zahlung', ['Betrag', '1.250,00 EUR'], 'Empfänger', 'Angefragt von'],
    ['fr', 'ltr', 'Paiement', ['Montant', '1\u202f250,00 EUR'], 'Bénéficiaire', 'Demandé par'],
    ['es', 'ltr', 'Pago', ['Importe', '1250,00 EUR'], 'Beneficiario', 'Solicitado por'],
    ['ar', 'rtl', 'دفعة', ['المبلغ', '1,250.00 EUR'], 'المستفيد', 'مقدّم الطلب'],
  ])('have a title in %s', (language, direction, title, [label = '', money = ''], recipient, requester) => {
    const payment = { amount: '1250', currency: 'EUR', recipient: "Ada's Workshop" }
    expect(renderDisplay(builtInWords.payment_approval, payment, asked)[language]).toStrictEqual({
      direction,
      title,
      lines: [
        { label, value: value(money), lead: true },
        { label: recipient, value: value("Ada's Workshop"), lead: true },
        { label: requester, value: value('Ada') },
      ],
    })
  })

  it('have every label in every language', () => {
    for (const { title, lines } of [...Object.values(builtInWords), ...Object.values(vouchingWords)]) {
      for (const texts of [title, ...lines.flatMap((line) => ('label' in line ? [line.label] : []))]) {
        expect(Object.keys(texts)).toStrictEqual([...shippedLanguages])
        expect(Object.values(texts).every((text) => text !== '' && text === readableText(text))).toBe(true)
      }
    }
  })

  it('show every further member by its name, in the order of the payload', () => {
    const payment = { memo: 'Rent', amount: '7.5', urgent: true, currency: 'EUR', recipient: 'Ada', for: { b: [1], a: null } }
    expect(rows('payment_approval', payment)).toStrictEqual([
      ['Amount', value('7.50 EUR')],
      ['Recipient', value('Ada')],
      ['"memo"', value('Rent')],
      ['"urgent"', value('yes')],
      ['"for" · "b"', value('1')],
      ['"for" · "a"', '—'],
    ])
  })

  it('show an amount and its currency on two lines, as sent, if they are not a valid amount of money', () => {
    for (const [amount, currency, shownAmount, shownCurrency] of [
      [1e21, 'EUR', '1e+21', 'EUR'],
      [5, 978, '5', '978'],
      ['1', '000 EUR', '1', '000 EUR'],
      [5, 'FOO', '5', 'FOO'],
    ] as const) {
      expect(rows('payment_approval', { amount, currency, recipient: 'Ada' })).toStrictEqual([
        ['Amount', value(shownAmount)],
        ['Currency', value(shownCurrency)],
        ['Recipient', value('Ada')],
      ])
    }
  })

  it('show lists item by item, and absent values as a dash', () => {
    expect(rows('purchase_order', { items: ['a', { b: 1 }], amount: 5, supplier: 'X' })).toStrictEqual([
      ['Amount', value('5')],
      ['Supplier', value('X')],
      ['Item', value('a')],
      ['Item', parts('{"b"}: {1}')],
    ])
    expect(rows('settings_change', { settingKey: 'k', oldValue: null, newValue: [] })).toStrictEqual([
      ['Setting', value('k')],
      ['New value', '—'],
      ['Old value', '—'],
    ])
    expect(rows('password_change', {})).toStrictEqual([['User', '—']])
  })

  it('put every name of the requester in quotes, whatever it looks like', () => {
    const payment = {
      amount: 5,
      currency: 'EUR',
      recipient: 'Eve',
      'Asked by ': 'Bob',
      'Asked  by': 'Cy',
      'Asked by:': 'Di',
      Аmount: 1,
      EMPFÄNGER: 'Ada',
      '': 1,
    }
    expect(rows('payment_approval', payment).slice(2)).toStrictEqual([
      ['"Asked by "', value('Bob')],
      ['"Asked  by"', value('Cy')],
      ['"Asked by:"', value('Di')],
      ['"Аmount"', value('1')],
      ['"EMPFÄNGER"', value('Ada')],
      ['""', value('1')],
    ])
  })

  it('put a text without visible characters in quotes', () => {
    expect(rows('settings_change', { settingKey: 'k', oldValue: '', newValue: ' \u00a0' })).toStrictEqual([
      ['Setting', value('k')],
      ['New value', value('" \u00a0"')],
      ['Old value', value('""')],
    ])
  })

  it('show hidden characters in names and values', () => {
    const payment = { amount: 5, currency: 'EUR', recipient: 'A\u202ed\nb', 'x\u200b': '\u2066' }
    expect(rows('payment_approval', payment).slice(1)).toStrictEqual([
      ['Recipient', '\u2068A\\u{202e}d↵b\u2069'],
      ['"x\\u{200b}"', '\u2068\\u{2066}\u2069'],
    ])
  })

  it.each(actionTypes)('of %s lose no member of any payload', (actionType) => {
    const names = fc.constantFrom('amount', 'currency', 'recipient', 'userId', 'items', 'toString', '__proto__', 'x')
    const values = fc.oneof(
      fc.integer(),
      fc.stringMatching(/^[a-z]{1,8}$/),
      fc.constant('EUR'),
      fc.array(fc.integer(), { minLength: 1 }),
    )
    fc.assert(
      fc.property(fc.dictionary(names, values, { noNullPrototype: true }), (payload) => {
        const shown = rows(actionType, payload).flat().join('\n')
        for (const one of Object.values(payload).flat()) expect(shown.replaceAll(',', '')).toContain(String(one))
      }),
    )
  })

  it('differ from the labels of a registered type', () => {
    expect(actionTypes.every(isBuiltInType)).toBe(true)
    expect(['wire_transfer', 'toString', '__proto__', ''].some(isBuiltInType)).toBe(false)
  })
})

describe('the words of a vouching', () => {
  it('ask whether the person trusts a new device, and name its place', () => {
    const requestedFrom = { address: '203.0.113.7', userAgent: null, at: '2026-11-25T10:09:12.345Z' }
    const vouching = { deviceName: 'Phone', deviceType: 'mobile', deviceId: 'd-1', keyThumbprint: 'k-1', requestedFrom }
    expect(renderDisplay(vouchingWords.passkey, vouching, asked).en?.title).toBe('Trust a new passkey')
    expect(renderDisplay(vouchingWords.device, vouching, asked).en?.title).toBe('Trust a new device')
    expect(rowsOf(vouchingWords.device, vouching)).toStrictEqual([
      ['Device', value('Phone')],
      ['Address', value('203.0.113.7')],
      ['Time', value('2026-11-25T10:09:12.345Z')],
      askedRow,
      ['Details', parts('{Kind of device}: {mobile} · {Program}: — · {Id}: {d-1} · {Fingerprint of the key}: {k-1}')],
    ])
  })
})

describe('the words about a request', () => {
  it('say for whom and where the request is, how many must agree, and the context', () => {
    const context = { agent: 'clerk', reason: 'Rent', 'on behalf of': 'Bob', ticket: '\u20664711' }
    const words = renderDisplay(
      builtInWords.password_change,
      {},
      { ...asked, onBehalfOf: 'Eve', tenant: 'acme', count: 2, context },
    )
    expect(words.en?.lines.slice(1).map(({ label, value }) => [label, value])).toStrictEqual([
      askedRow,
      ['On behalf of', value('Eve')],
      ['Tenant', value('acme')],
      ['Approvals needed', value('2')],
      ['Agent', value('clerk')],
      ['Reason given', value('Rent')],
      ['"on behalf of"', value('Bob')],
      ['"ticket"', '\u2068\\u{2066}4711\u2069'],
    ])
  })
})

describe('the direction of a language', () => {
  it.each([
    ['en', 'ltr'],
    ['ar', 'rtl'],
    ['ar-EG', 'rtl'],
    ['he', 'rtl'],
    ['ks-Deva', 'ltr'],
    ['az-Arab', 'rtl'],
    ['art', 'ltr'],
  ])('of %s is %s', (language, direction) => {
    expect(directionOf(language)).toBe(direction)
  })
})
