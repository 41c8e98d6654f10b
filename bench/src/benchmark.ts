import type { Bench } from './harness/bench.ts'
import type { Contender } from './harness/round.ts'

interface Named {
  /** The name on the command line. */
  readonly name: string
  readonly title: string
  /** The definition of one operation, and the set-up of the contenders. */
  readonly about: string
}

/** A comparison of two contenders, round by round. */
export interface Target {
  readonly of: string
  readonly to: string
  /**
   * The compared figure; `rate` by default. For `rate`, the ratio of the rates is at least `bound`. For `p99`, the ratio is
   * at most `bound`. For `processor time beyond`, `of` needs at most `bound` microseconds more for an operation than `to`.
   */
  readonly by?: 'rate' | 'p99' | 'processor time beyond'
  readonly bound: number
  /** The meaning of the bound, in a few words. */
  readonly means: string
}

/** A benchmark in which contenders do the same work and are compared. */
export interface Comparison extends Named {
  readonly kind: 'comparison'
  readonly targets: readonly Target[]
  readonly open: (bench: Bench) => Promise<readonly Contender[]>
}

/** One value of a program for each measurement, and the greatest allowed value, if there is one. */
export interface Figure {
  readonly what: string
  readonly unit: 'ms' | 'µs' | 'MB' | '×' | '%'
  readonly values: readonly number[]
  readonly most?: number
}

/** Figures of one program, without contenders. */
export interface Figures extends Named {
  readonly kind: 'figures'
  readonly measure: (bench: Bench) => Promise<readonly Figure[]>
}

/** A call that is measured at growing sizes. */
export interface GrowthCall {
  readonly what: string
  /** The greatest factor between the time at the largest size and the time at the size `comparedTo`. */
  readonly bound?: { readonly times: number; readonly comparedTo: number }
  /** The greatest time at the largest size, in milliseconds. */
  readonly most?: number
  /** Makes the call at the size of this index, for the `run`th time. */
  readonly call: (at: number, run: number) => Promise<unknown>
}

/** The cost of calls at growing sizes. */
export interface Growth extends Named {
  readonly kind: 'growth'
  readonly repeats: number
  readonly open: (bench: Bench) => Promise<{ readonly sizes: readonly number[]; readonly calls: readonly GrowthCall[] }>
}

export type Benchmark = Comparison | Figures | Growth
