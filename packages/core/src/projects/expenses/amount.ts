import type { Amount } from '../records/expense.ts'

const PLACES = 4
const SCALE = 10n ** BigInt(PLACES)

/** Parses a decimal of at most four places exactly. The contract has checked the form of the text. */
export const parseAmount = (text: string): Amount => {
  const negative = text.startsWith('-')
  const [whole = '0', fraction = ''] = (negative ? text.slice(1) : text).split('.')
  const amount = BigInt(whole) * SCALE + BigInt(fraction.padEnd(PLACES, '0'))
  return negative ? -amount : amount
}

/** Returns an amount as a JSON number (RFC 8259 §6), exact and without trailing zeros. */
export const formatAmount = (amount: Amount): string => {
  const magnitude = amount < 0n ? -amount : amount
  const fraction = (magnitude % SCALE).toString().padStart(PLACES, '0').replace(/0+$/, '')
  return `${amount < 0n ? '-' : ''}${magnitude / SCALE}${fraction === '' ? '' : `.${fraction}`}`
}
