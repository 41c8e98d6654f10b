import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isExactNumber } from './inspect-json.ts'

/** A decimal as a fraction of integers, from its text. Another way than the code under test. */
const fractionOf = (decimal: string): readonly [bigint, bigint] => {
  const [, sign, whole = '', fraction = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(decimal) ?? []
  const value = BigInt(`${whole}${fraction}`) * (sign === '-' ? -1n : 1n)
  const power = Number(exponent) - fraction.length
  return power < 0 ? [value, 10n ** BigInt(-power)] : [value * 10n ** BigInt(power), 1n]
}

const isSameDecimal = (one: string, other: string): boolean => {
  const [[a, b], [c, d]] = [fractionOf(one), fractionOf(other)]
  return a * d === c * b
}

describe('the text of a number', () => {
  it.each(['0', '-0', '0.0', '0e999999999999999999999', '0.1', '1250.50', '1e21', '1E+21', '100', '5e-324'])(
    'is exact if it has the digits of a double: %s',
    (source) => expect(isExactNumber(source)).toBe(true),
  )

  it.each([
    '9007199254740993',
    '12345678901234567891',
    '0.1000000000000000055',
    '1.00000000000000000001',
    '1e400',
    '-1e400',
    '1e-400',
    '-1e999999999999999999999',
    '1e-999999999999999999999',
    '4.9e-324',
  ])('is not exact if no double has its digits: %s', (source) => expect(isExactNumber(source)).toBe(false))

  it('is exact in every form in which programs write numbers', () => {
    const double = fc.double({ noNaN: true, noDefaultInfinity: true })
    fc.assert(fc.property(double, (value) => isExactNumber(JSON.stringify(value))))
    fc.assert(fc.property(double, (value) => isExactNumber(value.toExponential())))
    fc.assert(fc.property(fc.maxSafeInteger(), fc.nat(20), (value, zeros) => isExactNumber(`${value}.${'0'.repeat(zeros + 1)}`)))
  })

  it('is exact only if the double has the same value, for random texts', () => {
    const digits = fc.stringMatching(/^(0|[1-9][0-9]{0,24})$/)
    const sources = fc
      .tuple(
        fc.constantFrom('', '-'),
        digits,
        fc.option(fc.stringMatching(/^[0-9]{1,24}$/)),
        fc.option(fc.integer({ min: -300, max: 250 })),
      )
      .map(([sign, whole, fraction, exponent]) =>
        [sign, whole, fraction === null ? '' : `.${fraction}`, exponent === null ? '' : `e${exponent}`].join(''),
      )
    fc.assert(
      fc.property(sources, (source) => {
        expect(isExactNumber(source)).toBe(isSameDecimal(source, String(Number(source))))
      }),
      { numRuns: 2000 },
    )
  })

  it('is decided in little time, however many zeros there are', () => {
    const sources = [`1${'0'.repeat(4000)}1`, `0.${'0'.repeat(4000)}1`, `${'10'.repeat(2000)}1`, `1.${'0'.repeat(4000)}`]
    const before = process.cpuUsage()
    for (let run = 0; run < 100; run += 1) for (const source of sources) isExactNumber(source)
    const { user, system } = process.cpuUsage(before)
    expect(user + system).toBeLessThan(1_000_000)
  })
})
