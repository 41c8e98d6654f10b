import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dividesExactly } from './decimals.ts'

describe('an exact division', () => {
  it.each([
    [0.01, 19.99],
    [0.01, 0.07],
    [0.1, 0.3],
    [1e-8, 12391239123],
    [0.0001, 0.0075],
    [2, -4],
    [0.5, 0],
    [5e-324, 1.7976931348623157e308],
    [1, 1e300],
    [1.5, -4.5],
  ])('uses decimals as they are written: %d divides %d', (divisor, value) => {
    expect(dividesExactly(divisor, value)).toBe(true)
  })

  it.each([
    [0.01, 0.075],
    [2, 3],
    [0.123456789, 1e308],
    [3, 1e20],
    [0.2, 0.3],
    [1, 1e-300],
  ])('finds that %d does not divide %d', (divisor, value) => {
    expect(dividesExactly(divisor, value)).toBe(false)
  })

  it('agrees with integer arithmetic on ten-thousandths', () => {
    const tenThousandths = fc.integer({ min: -1_000_000_000, max: 1_000_000_000 })
    fc.assert(
      fc.property(tenThousandths, fc.integer({ min: 1, max: 1_000_000 }), (value, divisor) => {
        expect(dividesExactly(divisor / 10_000, value / 10_000)).toBe(value % divisor === 0)
      }),
    )
  })
})
