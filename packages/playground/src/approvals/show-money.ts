const CURRENCY = /^[A-Za-z]{3}$/

/** Removes trailing zeros from a decimal number. */
const shortest = (decimal: string): string => (decimal.includes('.') ? decimal.replace(/\.?0+$/, '') : decimal)

/**
 * Shows an amount of a currency as money: `1,250.00 EUR`. The signature covers every digit, so the text has every digit. Zeros
 * fill up the smallest unit of the currency. The page is in English, so the separators are English. Returns `undefined` for
 * other values, and for an amount that the browser would round.
 */
export const showMoney = (amount: unknown, currency: unknown): string | undefined => {
  if (typeof amount !== 'number' && typeof amount !== 'string') return undefined
  if (typeof currency !== 'string' || !CURRENCY.test(currency)) return undefined
  const text = String(amount)
  const { maximumFractionDigits: unit = 2 } = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions()
  const format = new Intl.NumberFormat('en', { minimumFractionDigits: unit, maximumFractionDigits: 20 })
  const shown = format.format(text as `${number}`)
  return shortest(shown.replaceAll(',', '')) === shortest(text) ? `${shown}\u00a0${currency}` : undefined
}
