import { describe, expect, it } from 'vitest'
import { currencyDigits, isPayable, moneyText } from './money.ts'

describe('an amount as money', () => {
  it.each([
    [1250, 'EUR', '1,250.00 EUR'],
    ['1250.5', 'EUR', '1,250.50 EUR'],
    ['1250.00', 'EUR', '1,250.00 EUR'],
    [1250, 'JPY', '1,250 JPY'],
    [1250, 'KWD', '1,250.000 KWD'],
    [1250, 'CLF', '1,250.0000 CLF'],
    [0, 'usd', '0.00 usd'],
    [999, 'EUR', '999.00 EUR'],
  ])('of %j %s is shown as people write it', (amount, currency, shown) => {
    expect(moneyText(amount, currency, 'en')).toBe(shown)
  })

  it.each([
    ['en-GB', '1,234,567.89 EUR', '1,250.00 EUR'],
    ['de', '1.234.567,89 EUR', '1.250,00 EUR'],
    ['fr-CH', '1\u202f234\u202f567,89 EUR', '1\u202f250,00 EUR'],
    ['es', '1.234.567,89 EUR', '1250,00 EUR'],
    ['ar', '1,234,567.89 EUR', '1,250.00 EUR'],
    ['pl', '1234567.89 EUR', '1250.00 EUR'],
  ])('has the groups of its language: %s', (language, millions, thousands) => {
    expect(moneyText(1_234_567.89, 'EUR', language)).toBe(millions)
    expect(moneyText('1250', 'EUR', language)).toBe(thousands)
  })

  it('is written as `Intl` of this platform writes it', () => {
    for (const language of ['en', 'de', 'fr', 'es', 'ar-u-nu-latn']) {
      const format = new Intl.NumberFormat(language, { minimumFractionDigits: 2 })
      for (const amount of [0.5, 999, 1250, 12_500, 1_234_567.89]) {
        expect(moneyText(amount, 'EUR', language)).toBe(`${format.format(amount)} EUR`)
      }
    }
  })

  it('keeps every digit, because the signature covers every digit', () => {
    expect(moneyText(1250.505, 'EUR', 'en')).toBe('1,250.505 EUR')
    expect(moneyText(0.1, 'JPY', 'en')).toBe('0.1 JPY')
    expect(moneyText('12345678901234567890.12', 'EUR', 'en')).toBe('12,345,678,901,234,567,890.12 EUR')
    expect(moneyText('0.000000000000000000001', 'EUR', 'en')).toBe('0.000000000000000000001 EUR')
  })

  it.each([
    [1e-7, 'EUR'],
    [1e21, 'EUR'],
    ['', 'EUR'],
    [' 12', 'EUR'],
    ['012', 'EUR'],
    ['12.', 'EUR'],
    ['12\n', 'EUR'],
    ['0x10', 'EUR'],
    ['1'.repeat(31), 'EUR'],
    [-3, 'EUR'],
    [Number.NaN, 'EUR'],
    [null, 'EUR'],
    [[12], 'EUR'],
    [12, 'Euro'],
    [12, 'FOO'],
    [12, 'u\u017Fd'],
    [12, '\u0131nr'],
    [12, 'EUR\n'],
    [12, undefined],
  ])('is undefined for %j %s', (amount, currency) => {
    expect(moneyText(amount, currency, 'en')).toBeUndefined()
  })
})

describe('the digits of a currency', () => {
  /** The platform follows CLDR, which leaves out minor units that nobody uses. ISO 4217 has two digits for these; IQD has three. */
  const otherwise = 'AFN ALL COP HUF IDR IQD IRR KPW LAK LBP MGA MMK PKR SOS SYP YER'.split(' ')

  it('are those of `Intl`, unless ISO 4217 says otherwise', () => {
    const known = Intl.supportedValuesOf('currency').filter((code) => currencyDigits(code) !== undefined)
    expect(known.length).toBeGreaterThan(150)
    const different = known.filter((code) => {
      const options = new Intl.NumberFormat('en', { style: 'currency', currency: code }).resolvedOptions()
      return currencyDigits(code) !== options.maximumFractionDigits
    })
    expect(different).toStrictEqual(otherwise)
    expect(otherwise.map(currencyDigits)).toStrictEqual(otherwise.map((code) => (code === 'IQD' ? 3 : 2)))
  })
})

describe('an amount that a currency can have', () => {
  it.each([
    [1250.5, 'EUR', true],
    ['1250.00', 'EUR', true],
    [1250.505, 'EUR', false],
    ['0.1', 'JPY', false],
    [1e21, 'EUR', false],
    [-5, 'EUR', true],
    [1250.505, 'FOO', true],
  ])('%j %s: %j', (amount, currency, payable) => {
    expect(isPayable(amount, currency)).toBe(payable)
  })
})
