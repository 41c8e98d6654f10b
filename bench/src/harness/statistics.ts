/** The summary of several rounds. */
export interface Summary {
  readonly median: number
  /** The middle half of the rounds: the first and the third quartile. */
  readonly low: number
  readonly high: number
}

/** Interpolates linearly between the two neighbouring values. */
const quantile = (sorted: readonly number[], share: number): number => {
  const rank = (sorted.length - 1) * share
  const below = sorted[Math.floor(rank)] ?? Number.NaN
  const above = sorted[Math.ceil(rank)] ?? Number.NaN
  return below + (above - below) * (rank - Math.floor(rank))
}

/** @param values At least one value. */
export const summarise = (values: readonly number[]): Summary => {
  const sorted = [...values].sort((a, b) => a - b)
  return { median: quantile(sorted, 0.5), low: quantile(sorted, 0.25), high: quantile(sorted, 0.75) }
}
