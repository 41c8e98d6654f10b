import { quantile } from './harness/round.ts'

/** The median of several rounds, and the middle half of the rounds: the first and the third quartile. */
interface Summary {
  readonly median: number
  readonly low: number
  readonly high: number
}

export const number = (value: number): string => {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })
}

export const spread = ({ median, low, high }: Summary): string => `${number(median)} (${number(low)}–${number(high)})`

/** Summarises at least one value; `undefined` if a value is unknown. */
export const summarise = (values: readonly number[]): Summary | undefined => {
  if (values.some(Number.isNaN)) return undefined
  return { median: quantile(values, 0.5), low: quantile(values, 0.25), high: quantile(values, 0.75) }
}
