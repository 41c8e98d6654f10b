import type { Summary } from '../harness/statistics.ts'
import type { ComparisonResult, FiguresResult, GrowthResult, Result, TargetResult } from './result.ts'

/** Converts results to Markdown. */

const number = (value: number): string => {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })
}

const spread = ({ median, low, high }: Summary): string => `${number(median)} (${number(low)}–${number(high)})`

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`

/** @param texts The number of text columns; number columns follow them. */
const table = (head: readonly string[], rows: readonly (readonly string[])[], texts = 1): string =>
  [row(head), `|${'---|'.repeat(texts)}${'--:|'.repeat(head.length - texts)}`, ...rows.map(row)].join('\n')

const verdict = (holds: boolean): string => (holds ? 'yes' : '**no**')

const unitOf = ({ by }: TargetResult): string => (by === 'processor time beyond' ? ' µs' : '×')
const relationOf = ({ by = 'rate' }: TargetResult): string => (by === 'rate' ? '≥' : '≤')
const subjectOf = ({ by = 'rate', of, to }: TargetResult): string =>
  ({ rate: `${of} ÷ ${to}`, p99: `p99 of ${of} ÷ p99 of ${to}`, 'processor time beyond': `processor time of ${of} − ${to}` })[by]

/** One bound, as a row of a table. */
interface Held {
  readonly what: string
  readonly value: string
  readonly wanted: string
  readonly holds: boolean
}

const heldOfTarget = (target: TargetResult): Held => ({
  what: subjectOf(target),
  value: `${spread(target.value)}${unitOf(target)}`,
  wanted: `${relationOf(target)} ${target.bound}${unitOf(target)}`,
  holds: target.holds,
})

const comparison = ({ contenders, targets, rounds, seconds }: ComparisonResult): string => {
  const rows = contenders.map(({ contender, rate, cpuMicros, p50, p99 }) => [
    contender,
    spread(rate),
    cpuMicros === undefined ? '' : number(cpuMicros.median),
    p50 === undefined ? '' : number(p50.median),
    p99 === undefined ? '' : number(p99.median),
  ])
  const held = targets.map(heldOfTarget).map(({ what, value, wanted, holds }) => [what, value, wanted, verdict(holds)])
  return [
    table(['contender', 'operations a second', 'processor µs per operation', 'p50 ms', 'p99 ms'], rows),
    ...(held.length === 0 ? [] : [table(['comparison', 'measured', 'target', 'met'], held)]),
    `Medians of ${rounds} rounds of ${seconds} s, in which the contenders take turns. The middle half of the rounds is in parentheses.`,
  ].join('\n\n')
}

const figures = ({ figures: all }: FiguresResult): string =>
  table(
    ['figure', 'measured', 'target', 'met'],
    all.map(({ what, value, unit, most, holds }) => [
      what,
      `${spread(value)} ${unit}`,
      most === undefined ? '' : `≤ ${most} ${unit}`,
      holds === undefined ? '' : verdict(holds),
    ]),
  )

const growth = ({ sizes, rows }: GrowthResult): string =>
  table(
    ['measurement', ...sizes.map((size) => size.toLocaleString('en')), 'target', 'measured', 'met'],
    rows.map(({ what, first, times, held }) => [
      what,
      ...times.map(({ median }, index) => `${median.toFixed(2)} (${(first[index] ?? 0).toFixed(1)})`),
      held?.what ?? '',
      held === undefined ? '' : number(held.value),
      held === undefined ? '' : verdict(held.holds),
    ]),
  )

const bodyOf = (result: Result): string => {
  switch (result.kind) {
    case 'comparison':
      return comparison(result)
    case 'figures':
      return figures(result)
    case 'growth':
      return growth(result)
  }
}

/** Returns the worst list of those that share a bound. */
const heldOfLists = ({ rows }: GrowthResult): readonly Held[] => {
  const held = rows.flatMap((row) => (row.held === undefined ? [] : [{ list: row.what, ...row.held }]))
  return [...Map.groupBy(held, ({ what }) => what)].map(([wanted, alike]) => {
    const worst = alike.reduce((one, other) => (other.value > one.value ? other : one))
    const what = alike.length === 1 ? worst.list : `the slowest of ${alike.length}: ${worst.list}`
    return { what, value: number(worst.value), wanted, holds: worst.holds }
  })
}

const heldIn = (result: Result): readonly Held[] => {
  switch (result.kind) {
    case 'comparison':
      return result.targets.map(heldOfTarget)
    case 'figures':
      return result.figures.flatMap(({ what, value, unit, most, holds }) =>
        most === undefined || holds === undefined
          ? []
          : [{ what, value: `${spread(value)} ${unit}`, wanted: `≤ ${most} ${unit}`, holds }],
      )
    case 'growth':
      return heldOfLists(result)
  }
}

/** Returns all bounds in one table, under a heading. */
export const toSummary = (results: readonly Result[]): string => {
  const all = results.flatMap((result) => heldIn(result).map((held) => ({ title: result.title, ...held })))
  const count = `${all.filter(({ holds }) => holds).length} of ${all.length} targets are met.`
  const rows = all.map(({ title, what, value, wanted, holds }) => [title, what, value, wanted, verdict(holds)])
  return ['## Targets', count, table(['benchmark', 'measurement', 'measured', 'target', 'met'], rows, 2)].join('\n\n')
}

/** Returns one result under a heading. */
export const toMarkdown = (result: Result): string => {
  const { title, name, about, measuredAt, machine, driver } = result
  const when = `\`npm run bench -- ${name}\`, ${measuredAt.slice(0, 10)}, ${machine}${result.kind === 'growth' ? '' : `, ${driver}`}.`
  return [`## ${title}`, about, bodyOf(result), when].join('\n\n')
}
