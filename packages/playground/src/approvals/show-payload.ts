import { showMoney } from './show-money.ts'

type Shown = readonly [name: string, value: string]

/** Shows each member of a payload by its name, in the original order, and the amount as money. */
export const showPayload = (payload: Readonly<Record<string, unknown>>): readonly Shown[] => {
  const money = showMoney(payload.amount, payload.currency)
  return Object.entries(payload).flatMap(([name, value]): readonly Shown[] => {
    if (money !== undefined && name === 'amount') return [[name, money]]
    // The amount already shows the currency.
    if (money !== undefined && name === 'currency') return []
    return [[name, typeof value === 'string' ? value : JSON.stringify(value)]]
  })
}
