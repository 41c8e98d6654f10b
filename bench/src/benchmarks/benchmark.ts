import type { Bench } from '../harness/bench.ts'
import type { Contender, Target } from '../harness/contender.ts'

/** A benchmark in which contenders do the same, and are held against each other. */
export interface Comparison {
  readonly kind: 'comparison'
  /** As it is picked on the command line. */
  readonly name: string
  readonly title: string
  /** What one operation is, and who does it how. */
  readonly about: string
  readonly targets: readonly Target[]
  readonly open: (bench: Bench) => Promise<readonly Contender[]>
}

/** Figures that are taken of one thing alone. */
export interface Figures {
  readonly kind: 'figures'
  readonly name: string
  readonly title: string
  readonly about: string
  readonly measure: (bench: Bench) => Promise<readonly Figure[]>
}

export interface Figure {
  readonly what: string
  readonly unit: 'ms' | 'µs' | 'MB' | '×'
  /** One value for each time that it was taken. */
  readonly values: readonly number[]
  /** What it may be at most, if that is set. */
  readonly most?: number
}

/** What something costs as there is more of it. */
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
  /** The times after, at each size, in milliseconds; taken in turns, so that they compare one by one. */
  readonly times: readonly (readonly number[])[]
  /** See `List`. */
  readonly bound?: { readonly times: number; readonly comparedTo: number }
  readonly most?: number
}

export type Benchmark = Comparison | Figures | Growth
