import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatAmount, parseAmount } from './amount.ts'

const MOST = 10n ** 18n - 1n

describe('amounts', () => {
  it.each([
    ['0', 0n],
    ['-0.0001', -1n],
    ['12.5', 125_000n],
    ['99999999999999.9999', MOST],
    ['-99999999999999.9999', -MOST],
    ['007.10', 71_000n],
  ])('are parsed exactly: %s', (text, amount) => {
    expect(parseAmount(text)).toBe(amount)
  })

  it.each([
    [0n, '0'],
    [1n, '0.0001'],
    [-125_000n, '-12.5'],
    [10_000n, '1'],
    [MOST * 1000n, '99999999999999999.9'],
  ])('are written exactly and without trailing zeros: %d', (amount, text) => {
    expect(formatAmount(amount)).toBe(text)
  })

  it('are the same after writing and parsing', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -MOST, max: MOST }), (amount) => {
        const text = formatAmount(amount)
        expect(parseAmount(text)).toBe(amount)
        expect(text).toMatch(/^-?(?:0|[1-9]\d*)(?:\.\d{0,3}[1-9])?$/)
      }),
    )
  })
})
