import { describe, expect, it } from 'vitest'
import { groupedMoney } from './money.ts'

describe('an amount as money', () => {
  it.each([
    [1250, 'EUR', '1,250.00 EUR'],
    ['1250.5', 'EUR', '1,250.50 EUR'],
    [1250, 'JPY', '1,250 JPY'],
    [1250, 'KWD', '1,250.000 KWD'],
    [0, 'usd', '0.00 usd'],
    [999, 'EUR', '999.00 EUR'],
  ])('of %j %s is shown as people write it', (amount, currency, shown) => {
    expect(groupedMoney(amount, currency)).toBe(shown)
  })

  it('keeps every digit, because the signature covers every digit', () => {
    expect(groupedMoney(1250.505, 'EUR')).toBe('1,250.505 EUR')
    expect(groupedMoney(0.1, 'JPY')).toBe('0.1 JPY')
    expect(groupedMoney('12345678901234567890.12', 'EUR')).toBe('12,345,678,901,234,567,890.12 EUR')
    expect(groupedMoney('0.000000000000000000001', 'EUR')).toBe('0.000000000000000000001 EUR')
    expect(groupedMoney('1.500', 'EUR')).toBe('1.500 EUR')
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
    ['twelve', 'EUR'],
    [-3, 'EUR'],
    [Number.NaN, 'EUR'],
    [null, 'EUR'],
    [[12], 'EUR'],
    [12, 'Euro'],
    [12, 'EU1'],
    [12, 'EUR\n'],
    [12, undefined],
  ])('is not shown for %j %s', (amount, currency) => {
    expect(groupedMoney(amount, currency)).toBeUndefined()
  })
})
