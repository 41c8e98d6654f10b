import { type Bench, type BenchOptions, openBench, scaled } from './harness/bench.ts'
import { keepAwake } from './harness/program.ts'
import { type Contender, quantile, type Round, takeTurns, timesOf } from './harness/round.ts'

/** The median of several rounds, and the middle half of the rounds: the first and the third quartile. */
interface Summary {
  readonly median: number
  readonly low: number
  readonly high: number
}

const number = (value: number): string => {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })
}

const spread = ({ median, low, high }: Summary): string => `${number(median)} (${number(low)}–${number(high)})`

/** Summarises at least one value; `undefined` if a value is unknown. */
const summarise = (values: readonly number[]): Summary | undefined => {
  if (values.some(Number.isNaN)) return undefined
  return { median: quantile(values, 0.5), low: quantile(values, 0.25), high: quantile(values, 0.75) }
}

/** A bound, as the cells of a table: what was measured, its value, the target, and whether the target is met. */
export type Held = readonly [what: string, value: string, wanted: string, met: 'yes' | '**no**']

export interface Measured {
  /** The number and the length of the rounds, if contenders take turns. */
  readonly rounds?: string
  /** The table of the figures, without those that have a bound. */
  readonly table: readonly (readonly string[])[]
  readonly held: readonly Held[]
}

export interface Named {
  readonly name: string
  readonly title: string
  /** The definition of one operation, and the set-up of the contenders. */
  readonly about: string
}

export interface Benchmark extends Named {
  readonly measure: (bench: Bench) => Promise<Measured>
}

/** The stored result of a benchmark. `measuredAt` is ISO 8601. */
export type Result = Named & Measured & { readonly measuredAt: string; readonly machine: string }

const metIf = (holds: boolean): Held[3] => (holds ? 'yes' : '**no**')

/** The figures of a round, in the order of the columns of a contender. A figure that the platform does not report is `NaN`. */
const figuresOf = {
  rate: ({ operations, seconds }: Round): number => operations / seconds,
  /** Microseconds of processor time for one operation. */
  processor: ({ cpuSeconds = Number.NaN, operations }: Round): number => (cpuSeconds / operations) * 1e6,
  p50: ({ latency }: Round): number => latency?.p50 ?? Number.NaN,
  p99: ({ latency }: Round): number => latency?.p99 ?? Number.NaN,
} as const

const HEAD = ['contender', 'operations/s', 'processor µs', 'p50 ms', 'p99 ms']

/** Returns the row of a contender. A figure that the platform does not report stays empty. */
export const contenderRow = (name: string, rounds: readonly Round[]): readonly string[] => {
  const [rate, ...others] = Object.values(figuresOf).map((figure) => summarise(rounds.map(figure)))
  return [name, rate ? spread(rate) : '', ...others.map((other) => (other ? number(other.median) : ''))]
}

/** A comparison of two contenders, round by round. */
export interface Target {
  readonly of: string
  readonly to: string
  /**
   * The compared figure; `rate` by default, whose ratio is at least `bound`. For `p99` it is at most `bound`. For `processor`, `of`
   * needs at most `bound` microseconds more for an operation than `to`.
   */
  readonly by?: 'rate' | 'p99' | 'processor'
  readonly bound: number
}

/** Compares the rounds of two contenders, each with the round at the same position. Empty if they cannot be compared. */
export const heldBy = ({ by = 'rate', of, to, bound }: Target, ours: readonly Round[], theirs: readonly Round[]): Held[] => {
  const figure = figuresOf[by]
  const isDifference = by === 'processor'
  const pairs = ours.map((round, index) => [figure(round), figure(theirs[index] as Round)] as const)
  const value = summarise(pairs.map(([one, other]) => (isDifference ? one - other : one / other)))
  if (value === undefined) return []
  const unit = isDifference ? ' µs' : '×'
  const what = {
    rate: `${of} ÷ ${to}`,
    p99: `p99 of ${of} ÷ p99 of ${to}`,
    processor: `processor time of ${of} − ${to}`,
  }[by]
  const [sign, holds] = by === 'rate' ? ['≥', value.median >= bound] : ['≤', value.median <= bound]
  return [[what, `${spread(value)}${unit}`, `${sign} ${bound}${unit}`, metIf(holds)]]
}

interface Comparison extends Named {
  readonly targets: readonly Target[]
  readonly open: (bench: Bench) => Promise<readonly Contender[]>
}

/** A benchmark in which contenders do the same work and are compared. */
export const comparison = ({ targets, open, ...named }: Comparison): Benchmark => ({
  ...named,
  measure: async (bench) => {
    const rounds = await takeTurns(await open(bench), bench)
    const roundsOf = (name: string): readonly Round[] => {
      const each = rounds.get(name)
      if (each === undefined) throw new Error(`a target names ${name}, which did not run`)
      return each
    }
    return {
      rounds: `${bench.rounds} rounds of ${bench.seconds} s`,
      table: [HEAD, ...[...rounds].map(([name, each]) => contenderRow(name, each))],
      held: targets.flatMap((target) => heldBy(target, roundsOf(target.of), roundsOf(target.to))),
    }
  },
})

/** One value of a program for each measurement, and the greatest allowed value, if there is one. */
export interface Figure {
  readonly what: string
  readonly unit: 'ms' | 'µs' | 'MB' | '×' | '%'
  readonly values: readonly number[]
  readonly most?: number
}

interface Figures extends Named {
  readonly measure: (bench: Bench) => Promise<readonly Figure[]>
}

/** A benchmark with figures of one program, without contenders. */
export const figures = ({ measure, ...named }: Figures): Benchmark => ({
  ...named,
  measure: async (bench) => {
    const held: Held[] = []
    const table: string[][] = []
    for (const { what, unit, values, most } of await measure(bench)) {
      const value = summarise(values)
      if (value === undefined) continue
      const shown = `${spread(value)} ${unit}`
      if (most === undefined) table.push([what, shown])
      else held.push([what, shown, `≤ ${most} ${unit}`, metIf(value.median <= most)])
    }
    return { table: table.length === 0 ? [] : [['figure', 'measured'], ...table], held }
  },
})

export interface GrowthCall {
  readonly what: string
  /** The greatest time at the largest size: in milliseconds, or as a factor of the time at `comparedTo`, if that is measured. */
  readonly bound?: { readonly most: number; readonly comparedTo?: number }
  /** Make the call at each size, for the `run`th time. */
  readonly at: readonly ((run: number) => Promise<unknown>)[]
}

interface Bounded {
  readonly what: string
  readonly wanted: string
  readonly value: number
  readonly holds: boolean
}

/** Compares the medians of a call at each size with its bound. */
export const boundOf = (
  { what, bound }: Omit<GrowthCall, 'at'>,
  sizes: readonly number[],
  medians: readonly number[],
): readonly Bounded[] => {
  const base = bound?.comparedTo === undefined ? 1 : medians[sizes.indexOf(bound.comparedTo)]
  if (bound === undefined || base === undefined) return []
  const { most, comparedTo } = bound
  const value = (medians.at(-1) ?? Number.NaN) / base
  const wanted = comparedTo === undefined ? `≤ ${most} ms` : `≤ ${most} × the time at ${comparedTo.toLocaleString('en')}`
  return [{ what, wanted, value, holds: value <= most }]
}

/** Returns one row for all calls that share a bound: the worst of them. */
export const worstOf = (bounded: readonly Bounded[]): readonly Held[] =>
  [...Map.groupBy(bounded, ({ wanted }) => wanted)].map(([wanted, alike]) => {
    const worst = alike.reduce((one, other) => (other.value > one.value ? other : one))
    const what = alike.length === 1 ? worst.what : `the slowest of ${alike.length}: ${worst.what}`
    return [what, number(worst.value), wanted, metIf(worst.holds)]
  })

interface Growth extends Named {
  readonly repeats: number
  readonly open: (bench: Bench) => Promise<{ readonly sizes: readonly number[]; readonly calls: readonly GrowthCall[] }>
}

/** A benchmark of the cost of calls at growing sizes. Makes each call at each size in turn, A B A B. */
export const growth = ({ repeats, open, ...named }: Growth): Benchmark => ({
  ...named,
  measure: async (bench) => {
    const { sizes, calls } = await open(bench)
    const table = [['measurement', ...sizes.map((size) => size.toLocaleString('en'))]]
    const bounded: Bounded[] = []
    for (const { at, ...about } of calls) {
      bench.tell(about.what)
      const times = at.map((): number[] => [])
      for (let run = 0; run <= scaled(bench, repeats); run += 1) {
        for (const [index, call] of at.entries()) times[index]?.push(...(await timesOf(1, () => call(run))))
      }
      // The first time is shown next to the median of the others.
      const medians = times.map(([, ...others]) => summarise(others)?.median ?? Number.NaN)
      table.push([about.what, ...medians.map((median, index) => `${median.toFixed(2)} (${(times[index]?.[0] ?? 0).toFixed(1)})`)])
      bounded.push(...boundOf(about, sizes, medians))
    }
    return { table, held: worstOf(bounded) }
  },
})

/** Runs one benchmark on a new bench, until `signal` ends it. The cores are kept awake, except for a test. */
export const runBenchmark = async (
  { measure, ...named }: Benchmark,
  options: BenchOptions,
  machine: string,
  signal: AbortSignal = new AbortController().signal,
): Promise<Result> => {
  const bench = openBench(options)
  if (bench.share === 1) bench.own(keepAwake())
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('the measurement was stopped', { cause: signal.reason })), {
      once: true,
    })
  })
  try {
    const measuredAt = new Date().toISOString()
    return { ...named, measuredAt, machine, ...(await Promise.race([measure(bench), aborted])) }
  } finally {
    await bench.close()
  }
}
