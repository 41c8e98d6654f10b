/** What one turn of a contender came to. */
export interface Round {
  /** How many operations were answered, every one of them as it should be. */
  readonly operations: number
  readonly seconds: number
  /** How long an operation took, in milliseconds; `undefined` where a contender has nothing that waits. */
  readonly latency?: Latency
}

export interface Latency {
  readonly p50: number
  readonly p99: number
}

/** A round with what it cost the process that is measured. */
export interface MeasuredRound extends Round {
  /** Processor time of all its threads in seconds; `undefined` where the platform does not tell. */
  readonly cpuSeconds?: number
}

const quantile = (sorted: Float64Array, share: number): number => sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN

/** @param times In milliseconds, one of each operation. */
export const latencyOf = (times: readonly number[]): Latency => {
  const sorted = Float64Array.from(times).sort()
  return { p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99) }
}
