/** Returns a finite number as the decimal that JSON writes: `digits × 10^exponent`. */
const decimalOf = (value: number): { readonly digits: bigint; readonly exponent: number } => {
  const [mantissa = '0', exponent = '0'] = String(value).split('e')
  const [whole = '0', fraction = ''] = mantissa.split('.')
  return { digits: BigInt(whole + fraction), exponent: Number(exponent) - fraction.length }
}

/** Returns roughly how many digits an exact division of the two numbers handles. */
export const digitsToDivide = (divisor: number, value: number): number =>
  40 + Math.abs(Math.log10(Math.abs(value) || 1)) + Math.abs(Math.log10(divisor))

/** Returns whether the value is a multiple of the divisor. Both count as the decimals that JSON writes, without binary rounding. */
export const dividesExactly = (divisor: number, value: number): boolean => {
  if (Number.isSafeInteger(divisor) && Number.isSafeInteger(value)) return value % divisor === 0
  const a = decimalOf(value)
  const b = decimalOf(divisor)
  const exponent = Math.min(a.exponent, b.exponent)
  const scaled = ({ digits, exponent: own }: typeof a): bigint => digits * 10n ** BigInt(own - exponent)
  return scaled(a) % scaled(b) === 0n
}
