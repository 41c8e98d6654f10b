import type { Benchmark, Figure, GrowthRow } from '../benchmarks/benchmark.ts'
import type { Target } from '../harness/contender.ts'
import type { MeasuredRound } from '../harness/round.ts'
import { type Summary, summarise } from '../harness/statistics.ts'

/** The stored result of a benchmark, with everything that the tables show. */
interface ResultHead {
  readonly name: string
  readonly title: string
  readonly about: string
  /** ISO 8601. */
  readonly measuredAt: string
  readonly machine: string
  /** The program that sent the requests. */
  readonly driver: string
}

export interface ContenderResult {
  readonly contender: string
  /** Operations a second. */
  readonly rate: Summary
  /** Microseconds of processor time for one operation, of the measured process alone. */
  readonly cpuMicros?: Summary
  /** Milliseconds. */
  readonly p50?: Summary
  readonly p99?: Summary
}

export interface TargetResult extends Target {
  /** The values of the rounds: a ratio, or microseconds for `processor time beyond`. */
  readonly value: Summary
  readonly holds: boolean
}

export interface ComparisonResult extends ResultHead {
  readonly kind: 'comparison'
  readonly rounds: number
  readonly seconds: number
  readonly contenders: readonly ContenderResult[]
  readonly targets: readonly TargetResult[]
}

export interface FigureResult extends Omit<Figure, 'values'> {
  readonly value: Summary
  /** `undefined` if there is no bound. */
  readonly holds?: boolean
}

export interface FiguresResult extends ResultHead {
  readonly kind: 'figures'
  readonly figures: readonly FigureResult[]
}

export interface GrowthResultRow {
  readonly what: string
  readonly first: readonly number[]
  readonly times: readonly Summary[]
  /** The bound and the measured value. */
  readonly held?: { readonly what: string; readonly value: number; readonly holds: boolean }
}

export interface GrowthResult extends ResultHead {
  readonly kind: 'growth'
  readonly sizes: readonly number[]
  readonly rows: readonly GrowthResultRow[]
}

export type Result = ComparisonResult | FiguresResult | GrowthResult

export type Head = Omit<ResultHead, 'name' | 'title' | 'about'>

export const headOf = ({ name, title, about }: Benchmark, head: Head): ResultHead => ({ name, title, about, ...head })

const rateOf = ({ operations, seconds }: MeasuredRound): number => operations / seconds
/** Returns the microseconds of processor time for one operation; `NaN` if the platform does not report it. */
export const cpuMicrosOf = ({ cpuSeconds = Number.NaN, operations }: MeasuredRound): number => (cpuSeconds / operations) * 1e6
const p99Of = ({ latency }: MeasuredRound): number => latency?.p99 ?? Number.NaN

const summariseKnown = (values: readonly number[]): Summary | undefined =>
  values.some(Number.isNaN) ? undefined : summarise(values)

export const contenderResult = (contender: string, rounds: readonly MeasuredRound[]): ContenderResult => {
  const cpuMicros = summariseKnown(rounds.map(cpuMicrosOf))
  const p50 = summariseKnown(rounds.map(({ latency }) => latency?.p50 ?? Number.NaN))
  const p99 = summariseKnown(rounds.map(p99Of))
  return {
    contender,
    rate: summarise(rounds.map(rateOf)),
    ...(cpuMicros && { cpuMicros }),
    ...(p50 && { p50 }),
    ...(p99 && { p99 }),
  }
}

const compare = {
  rate: (of: MeasuredRound, to: MeasuredRound) => rateOf(of) / rateOf(to),
  p99: (of: MeasuredRound, to: MeasuredRound) => p99Of(of) / p99Of(to),
  'processor time beyond': (of: MeasuredRound, to: MeasuredRound) => cpuMicrosOf(of) - cpuMicrosOf(to),
} as const

/** Compares the rounds of two contenders, each with the round beside it. `undefined` if they cannot be compared. */
export const targetResult = (
  target: Target,
  of: readonly MeasuredRound[],
  to: readonly MeasuredRound[],
): TargetResult | undefined => {
  const by = target.by ?? 'rate'
  const value = summariseKnown(of.map((round, index) => compare[by](round, to[index] as MeasuredRound)))
  if (value === undefined) return undefined
  return { ...target, value, holds: by === 'rate' ? value.median >= target.bound : value.median <= target.bound }
}

export const figureResult = ({ values, ...figure }: Figure): FigureResult => {
  const value = summarise(values)
  return { ...figure, value, ...(figure.most !== undefined && { holds: value.median <= figure.most }) }
}

export const growthResultRow = ({ what, first, times, bound, most }: GrowthRow, sizes: readonly number[]): GrowthResultRow => {
  const row = { what, first, times: times.map(summarise) }
  const largest = row.times.at(-1)?.median ?? Number.NaN
  if (most !== undefined) return { ...row, held: { what: `≤ ${most} ms`, value: largest, holds: largest <= most } }
  const base = row.times[sizes.indexOf(bound?.comparedTo ?? 0)]?.median
  if (bound === undefined || base === undefined) return row
  const value = largest / base
  return {
    ...row,
    held: { what: `≤ ${bound.times} × the time at ${bound.comparedTo.toLocaleString('en')}`, value, holds: value <= bound.times },
  }
}
