import type { Amount } from './expense.ts'

/** Digits behind the point that an amount keeps. */
const PLACES = 4
const SCALE = 10n ** BigInt(PLACES)

/** Reads a decimal of at most four places, exactly. The text must be of the form that the contract checks. */
export const parseAmount = (text: string): Amount => {
  const negative = text.startsWith('-')
  const [whole = '0', fraction = ''] = (negative ? text.slice(1) : text).split('.')
  const amount = BigInt(whole) * SCALE + BigInt(fraction.padEnd(PLACES, '0'))
  return negative ? -amount : amount
}

/** Writes an amount as a decimal with all its digits and no more: a JSON number (RFC 8259 §6). */
export const formatAmount = (amount: Amount): string => {
  const magnitude = amount < 0n ? -amount : amount
  const fraction = (magnitude % SCALE).toString().padStart(PLACES, '0').replace(/0+$/, '')
  return `${amount < 0n ? '-' : ''}${magnitude / SCALE}${fraction === '' ? '' : `.${fraction}`}`
}
