import type { Benchmark, Figure, GrowthCall, Target } from './benchmark.ts'
import { type BenchOptions, openBench, scaled } from './harness/bench.ts'
import { keepAwake } from './harness/priority.ts'
import { quantile, type Round, takeTurns } from './harness/round.ts'

/** The median of several rounds, and the middle half of the rounds: the first and the third quartile. */
export interface Summary {
  readonly median: number
  readonly low: number
  readonly high: number
}

/** The stored result of a benchmark, with everything that the tables show. */
export type Result = {
  readonly name: string
  readonly title: string
  readonly about: string
  /** ISO 8601. */
  readonly measuredAt: string
  readonly machine: string
} & (
  | {
      readonly kind: 'comparison'
      readonly rounds: number
      readonly seconds: number
      readonly contenders: readonly ContenderResult[]
      readonly targets: readonly (Target & { readonly value: Summary; readonly holds: boolean })[]
    }
  | {
      readonly kind: 'figures'
      readonly figures: readonly (Omit<Figure, 'values'> & { readonly value: Summary; readonly holds?: boolean })[]
    }
  | { readonly kind: 'growth'; readonly sizes: readonly number[]; readonly rows: readonly GrowthRow[] }
)

interface ContenderResult {
  readonly contender: string
  /** Operations a second. */
  readonly rate: Summary
  /** Microseconds of processor time for one operation, of the measured process alone. */
  readonly cpuMicros?: Summary
  /** Milliseconds. */
  readonly p50?: Summary
  readonly p99?: Summary
}

interface GrowthRow {
  readonly what: string
  /** The first time at each size, in milliseconds. */
  readonly first: readonly number[]
  readonly times: readonly Summary[]
  /** The bound and the measured value. */
  readonly held?: { readonly what: string; readonly value: number; readonly holds: boolean }
}

/** Summarises at least one value; `undefined` if a value is unknown. */
const summarise = (values: readonly number[]): Summary | undefined => {
  if (values.some(Number.isNaN)) return undefined
  const sorted = [...values].sort((a, b) => a - b)
  return { median: quantile(sorted, 0.5), low: quantile(sorted, 0.25), high: quantile(sorted, 0.75) }
}

const rateOf = ({ operations, seconds }: Round): number => operations / seconds
/** Returns the microseconds of processor time for one operation; `NaN` if the platform does not report it. */
const cpuMicrosOf = ({ cpuSeconds = Number.NaN, operations }: Round): number => (cpuSeconds / operations) * 1e6
const p99Of = ({ latency }: Round): number => latency?.p99 ?? Number.NaN

export const contenderResult = (contender: string, rounds: readonly Round[]): ContenderResult => {
  const [rate, cpuMicros] = [summarise(rounds.map(rateOf)) as Summary, summarise(rounds.map(cpuMicrosOf))]
  const p50 = summarise(rounds.map(({ latency }) => latency?.p50 ?? Number.NaN))
  const p99 = summarise(rounds.map(p99Of))
  return { contender, rate, ...(cpuMicros && { cpuMicros }), ...(p50 && { p50 }), ...(p99 && { p99 }) }
}

const compare = {
  rate: (of: Round, to: Round) => rateOf(of) / rateOf(to),
  p99: (of: Round, to: Round) => p99Of(of) / p99Of(to),
  'processor time beyond': (of: Round, to: Round) => cpuMicrosOf(of) - cpuMicrosOf(to),
} as const

/** Compares the rounds of two contenders, each with the round beside it. Empty if they cannot be compared. */
export const targetResult = (target: Target, of: readonly Round[], to: readonly Round[]) => {
  const by = target.by ?? 'rate'
  const value = summarise(of.map((round, index) => compare[by](round, to[index] as Round)))
  if (value === undefined) return []
  return [{ ...target, value, holds: by === 'rate' ? value.median >= target.bound : value.median <= target.bound }]
}

const figureResult = ({ values, ...figure }: Figure) => {
  const value = summarise(values)
  return value === undefined
    ? []
    : [{ ...figure, value, ...(figure.most !== undefined && { holds: value.median <= figure.most }) }]
}

export const growthRow = (
  { what, bound, most }: Omit<GrowthCall, 'call'>,
  sizes: readonly number[],
  first: readonly number[],
  all: readonly (readonly number[])[],
): GrowthRow => {
  const times = all.map((values) => summarise(values) as Summary)
  const largest = times.at(-1)?.median ?? Number.NaN
  if (most !== undefined) return { what, first, times, held: { what: `≤ ${most} ms`, value: largest, holds: largest <= most } }
  const base = times[sizes.indexOf(bound?.comparedTo ?? 0)]?.median
  if (bound === undefined || base === undefined) return { what, first, times }
  const wanted = `≤ ${bound.times} × the time at ${bound.comparedTo.toLocaleString('en')}`
  return { what, first, times, held: { what: wanted, value: largest / base, holds: largest / base <= bound.times } }
}

/** Makes a call at each size in turn, A B A B. */
const measureGrowth = async (growth: GrowthCall, sizes: readonly number[], repeats: number): Promise<GrowthRow> => {
  const timeOf = async (at: number, run: number): Promise<number> => {
    const startedAt = performance.now()
    await growth.call(at, run)
    return performance.now() - startedAt
  }
  const first: number[] = []
  for (const at of sizes.keys()) first.push(await timeOf(at, 0))
  const times = sizes.map((): number[] => [])
  for (let run = 1; run <= repeats; run += 1) for (const at of sizes.keys()) times[at]?.push(await timeOf(at, run))
  return growthRow(growth, sizes, first, times)
}

/** Runs one benchmark on a new bench, which is removed. The cores are kept awake meanwhile, except for a test. */
export const runBenchmark = async (benchmark: Benchmark, options: BenchOptions, machine: string): Promise<Result> => {
  const bench = openBench(options)
  const { name, title, about } = benchmark
  const head = { name, title, about, measuredAt: new Date().toISOString(), machine }
  if (bench.share === 1) bench.own(keepAwake())
  try {
    if (benchmark.kind === 'figures') {
      return { ...head, kind: 'figures', figures: (await benchmark.measure(bench)).flatMap(figureResult) }
    }
    if (benchmark.kind === 'growth') {
      const { sizes, calls } = await benchmark.open(bench)
      const rows: GrowthRow[] = []
      for (const call of calls) {
        bench.tell(call.what)
        rows.push(await measureGrowth(call, sizes, scaled(bench, benchmark.repeats)))
      }
      return { ...head, kind: 'growth', sizes, rows }
    }
    const contenders = await benchmark.open(bench)
    const rounds = await takeTurns(contenders, bench.turns, bench.tell)
    const roundsOf = (name: string) => rounds[contenders.findIndex((contender) => contender.name === name)] ?? []
    return {
      ...head,
      kind: 'comparison',
      rounds: bench.turns.rounds,
      seconds: bench.turns.seconds,
      contenders: contenders.map(({ name }) => contenderResult(name, roundsOf(name))),
      targets: benchmark.targets.flatMap((target) => targetResult(target, roundsOf(target.of), roundsOf(target.to))),
    }
  } finally {
    await bench.close()
  }
}
