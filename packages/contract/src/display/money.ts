/** The form of an amount that can be grouped without a change of its digits. */
const DECIMAL = /^(0|[1-9]\d{0,29})(?:\.(\d{1,30}))?$/
const CURRENCY = /^[A-Za-z]{3}$/

/** Returns the digits of the smallest unit of a currency: 2 for EUR, 0 for JPY. */
const unitDigits = (currency: string): number => {
  // Some platforms have no Intl.
  if (typeof Intl === 'undefined') return 2
  return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
}

/**
 * Returns an amount of a currency as people write it in English: `1,250.00 EUR`. The text has every digit of the amount, because
 * the signature covers every digit. Zeros fill up the smallest unit of the currency. Returns `undefined` for other values.
 */
export const groupedMoney = (amount: unknown, currency: unknown): string | undefined => {
  if (typeof amount !== 'number' && typeof amount !== 'string') return undefined
  if (typeof currency !== 'string' || !CURRENCY.test(currency)) return undefined
  const [, whole, fraction = ''] = DECIMAL.exec(String(amount)) ?? []
  if (whole === undefined) return undefined
  const filled = fraction.padEnd(unitDigits(currency), '0')
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, ',')
  return `${grouped}${filled === '' ? '' : `.${filled}`} ${currency}`
}
