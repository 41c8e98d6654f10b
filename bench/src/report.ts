import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Result, Summary } from './result.ts'

const number = (value: number): string => {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits })
}

const spread = ({ median, low, high }: Summary): string => `${number(median)} (${number(low)}–${number(high)})`

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`

/** @param texts The number of text columns; number columns follow them. */
const table = (head: readonly string[], rows: readonly (readonly string[])[], texts = 1): string =>
  [row(head), `|${'---|'.repeat(texts)}${'--:|'.repeat(head.length - texts)}`, ...rows.map(row)].join('\n')

/** One bound, as the cells of a table: what was measured, its value, the target, and whether it is met. */
type Held = readonly [what: string, value: string, wanted: string, verdict: string]

const verdict = (holds: boolean | undefined): string => (holds === undefined ? '' : holds ? 'yes' : '**no**')

/** Returns all bounds of a result; of lists that share a bound, the worst. */
const heldIn = (result: Result): readonly Held[] => {
  if (result.kind === 'figures') {
    return result.figures
      .filter(({ most }) => most !== undefined)
      .map(({ what, value, unit, most, holds }) => [what, `${spread(value)} ${unit}`, `≤ ${most} ${unit}`, verdict(holds)])
  }
  if (result.kind === 'comparison') {
    return result.targets.map(({ by = 'rate', of, to, value, bound, holds }) => {
      const unit = by === 'processor time beyond' ? ' µs' : '×'
      const what = {
        rate: `${of} ÷ ${to}`,
        p99: `p99 of ${of} ÷ p99 of ${to}`,
        'processor time beyond': `processor time of ${of} − ${to}`,
      }
      return [what[by], `${spread(value)}${unit}`, `${by === 'rate' ? '≥' : '≤'} ${bound}${unit}`, verdict(holds)]
    })
  }
  const held = result.rows.flatMap((list) => (list.held === undefined ? [] : [{ list: list.what, ...list.held }]))
  return [...Map.groupBy(held, ({ what }) => what)].map(([wanted, alike]) => {
    const worst = alike.reduce((one, other) => (other.value > one.value ? other : one))
    const what = alike.length === 1 ? worst.list : `the slowest of ${alike.length}: ${worst.list}`
    return [what, number(worst.value), wanted, verdict(worst.holds)]
  })
}

/** Returns the figures that have no bound: the table of targets has the others. */
const bodyOf = (result: Result): readonly string[] => {
  if (result.kind === 'figures') {
    const rows = result.figures.filter(({ most }) => most === undefined)
    return rows.length === 0
      ? []
      : [
          table(
            ['figure', 'measured'],
            rows.map(({ what, value, unit }) => [what, `${spread(value)} ${unit}`]),
          ),
        ]
  }
  if (result.kind === 'growth') {
    const rows = result.rows.map(({ what, first, times }) => [
      what,
      ...times.map(({ median }, index) => `${median.toFixed(2)} (${(first[index] ?? 0).toFixed(1)})`),
    ])
    return [table(['measurement', ...result.sizes.map((size) => size.toLocaleString('en'))], rows)]
  }
  const rows = result.contenders.map(({ contender, rate, ...figures }) => {
    const cells = [figures.cpuMicros, figures.p50, figures.p99].map((figure) =>
      figure === undefined ? '' : number(figure.median),
    )
    return [contender, spread(rate), ...cells]
  })
  return [table(['contender', 'operations a second', 'processor µs per operation', 'p50 ms', 'p99 ms'], rows)]
}

/** Returns one result under a heading. */
export const toMarkdown = (result: Result): string => {
  const { title, name, about, measuredAt, machine } = result
  const rounds = result.kind === 'comparison' ? ` ${result.rounds} rounds of ${result.seconds} s,` : ''
  const origin = `\`npm run bench -- ${name}\`,${rounds} ${measuredAt.slice(0, 10)}, ${machine}.`
  return [`## ${title}`, about, ...bodyOf(result), origin].join('\n\n')
}

/** Returns all bounds in one table, under a heading. */
export const toSummary = (results: readonly Result[]): string => {
  const rows = results.flatMap((result) => heldIn(result).map((held) => [result.title, ...held]))
  const met = rows.filter((cells) => cells.at(-1) === 'yes').length
  const head = ['benchmark', 'measurement', 'measured', 'target', 'met']
  const method =
    'Figures are medians of rounds, in which the contenders take turns. The middle half of the rounds is in parentheses.'
  return ['## Targets', `${met} of ${rows.length} targets are met.`, table(head, rows, 2), method].join('\n\n')
}

/** The line between the text written by hand and the generated results. */
const MARK = '<!-- `npm run bench` generates everything below from benchmarks.json. The text above is written by hand. -->'

/**
 * Stores results in `benchmarks.json` of a folder, and shows all results in `benchmarks.md` beside it. A result replaces the
 * earlier result of its benchmark.
 *
 * @param order The names of the benchmarks, in the order of the report.
 */
export const writeReport = (directory: string, results: readonly Result[], versions: string, order: readonly string[]): void => {
  mkdirSync(directory, { recursive: true })
  const [json, markdown] = [join(directory, 'benchmarks.json'), join(directory, 'benchmarks.md')]
  const kept = existsSync(json) ? (JSON.parse(readFileSync(json, 'utf8')) as { readonly results: readonly Result[] }).results : []
  const all = new Map([...kept, ...results].map((result) => [result.name, result]))
  const shown = order.flatMap((name) => all.get(name) ?? [])
  writeFileSync(json, `${JSON.stringify({ versions, results: shown }, undefined, 2)}\n`)
  const [byHand = ''] = (existsSync(markdown) ? readFileSync(markdown, 'utf8') : '# Benchmarks\n').split(MARK)
  const end = `Compared libraries and tools: ${versions}.`
  writeFileSync(markdown, `${[byHand.trimEnd(), MARK, toSummary(shown), ...shown.map(toMarkdown), end].join('\n\n')}\n`)
}
