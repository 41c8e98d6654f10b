/** The result of one turn of a contender. */
export interface Round {
  /** The number of operations, all of which succeeded. */
  readonly operations: number
  readonly seconds: number
  /** The duration of an operation in milliseconds; `undefined` if the contender does not wait. */
  readonly latency?: Latency
}

export interface Latency {
  readonly p50: number
  readonly p99: number
}

/** A round with the cost of the measured process. */
export interface MeasuredRound extends Round {
  /** Processor time of all its threads in seconds; `undefined` if the platform does not report it. */
  readonly cpuSeconds?: number
}

const quantile = (sorted: Float64Array, share: number): number => sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN

/** @param times The duration of each operation in milliseconds. */
export const latencyOf = (times: readonly number[]): Latency => {
  const sorted = Float64Array.from(times).sort()
  return { p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99) }
}
