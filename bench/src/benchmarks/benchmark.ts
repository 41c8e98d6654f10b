import type { Bench } from '../harness/bench.ts'
import type { Contender, Target } from '../harness/contender.ts'

/** A benchmark in which contenders do the same work and are compared. */
export interface Comparison {
  readonly kind: 'comparison'
  /** The name on the command line. */
  readonly name: string
  readonly title: string
  /** The definition of one operation, and the set-up of the contenders. */
  readonly about: string
  readonly targets: readonly Target[]
  readonly open: (bench: Bench) => Promise<readonly Contender[]>
}

/** Figures of one program, without contenders. */
export interface Figures {
  readonly kind: 'figures'
  readonly name: string
  readonly title: string
  readonly about: string
  readonly measure: (bench: Bench) => Promise<readonly Figure[]>
}

export interface Figure {
  readonly what: string
  readonly unit: 'ms' | 'µs' | 'MB' | '×' | '%'
  /** One value for each measurement. */
  readonly values: readonly number[]
  /** The greatest allowed value, if there is one. */
  readonly most?: number
}

/** The cost of an operation at growing sizes. */
export interface Growth {
  readonly kind: 'growth'
  readonly name: string
  readonly title: string
  readonly about: string
  readonly measure: (bench: Bench) => Promise<GrowthTable>
}

export interface GrowthTable {
  readonly sizes: readonly number[]
  readonly rows: readonly GrowthRow[]
}

export interface GrowthRow {
  readonly what: string
  /** The first time at each size, in milliseconds. */
  readonly first: readonly number[]
  /** The later times at each size, in milliseconds. The sizes take turns, so that the times compare one by one. */
  readonly times: readonly (readonly number[])[]
  /** See `List`. */
  readonly bound?: { readonly times: number; readonly comparedTo: number }
  readonly most?: number
}

export type Benchmark = Comparison | Figures | Growth
