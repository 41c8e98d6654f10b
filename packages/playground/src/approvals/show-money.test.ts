import { describe, expect, it } from 'vitest'
import { showMoney } from './show-money.ts'

describe('an amount as money', () => {
  it.each([
    [1250, 'EUR', '1,250.00\u00a0EUR'],
    ['1250.5', 'EUR', '1,250.50\u00a0EUR'],
    [1250, 'JPY', '1,250\u00a0JPY'],
    [1250, 'KWD', '1,250.000\u00a0KWD'],
    [0, 'usd', '0.00\u00a0usd'],
    [-3, 'EUR', '-3.00\u00a0EUR'],
  ])('of %j %s is shown as people write it', (amount, currency, shown) => {
    expect(showMoney(amount, currency)).toBe(shown)
  })

  it('keeps every digit, because the signature covers every digit', () => {
    expect(showMoney(1250.505, 'EUR')).toBe('1,250.505\u00a0EUR')
    expect(showMoney(0.1, 'JPY')).toBe('0.1\u00a0JPY')
    expect(showMoney('12345678901234567890.12', 'EUR')).toBe('12,345,678,901,234,567,890.12\u00a0EUR')
  })

  it.each([
    ['0.000000000000000000001', 'EUR'],
    [1e-7, 'EUR'],
    [1e21, 'EUR'],
    ['', 'EUR'],
    [' 12', 'EUR'],
    ['0x10', 'EUR'],
    ['twelve', 'EUR'],
    [null, 'EUR'],
    [[12], 'EUR'],
    [12, 'Euro'],
    [12, 'EU1'],
    [12, undefined],
  ])('is not shown for %j %s', (amount, currency) => {
    expect(showMoney(amount, currency)).toBeUndefined()
  })
})
