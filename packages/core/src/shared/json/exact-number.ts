/** Returns the text without the zeros at its end. A loop, because a pattern would take quadratic time on many zeros. */
const withoutLastZeros = (digits: string): string => {
  let end = digits.length
  while (digits[end - 1] === '0') end -= 1
  return digits.slice(0, end)
}

/** Returns the one text of a decimal: its sign, its digits without zeros at both ends, and its exponent. */
const normalForm = (decimal: string): string => {
  const [mantissa = '', exponent = '0'] = decimal.toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.')
  const digits = (whole + fraction).replace(/^0+/, '')
  const significant = withoutLastZeros(digits)
  if (significant === '') return '0'
  const sign = mantissa.startsWith('-') ? '-' : ''
  return `${sign}${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`
}

/** A number of at most 15 digits without an exponent. A double keeps so many digits (IEEE 754-2019 §5.12.2). */
const SHORT = /^-?[\d.]{1,15}$/

/**
 * Returns whether a JSON number and the shortest text of its double (ECMAScript `Number::toString`) are the same decimal. Then
 * every program that reads the number as a double shows the digits that were sent: `1250.50` and `1e21`, but not
 * `12345678901234567891`.
 */
export const isExactNumber = (source: string): boolean =>
  SHORT.test(source) || normalForm(source) === normalForm(String(Number(source)))

/** Says in an error what a number takes that is not exact. */
export const takesExactNumber = 'must be a number that a double holds with all its digits; send a longer number as text'
